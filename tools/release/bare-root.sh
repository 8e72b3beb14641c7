#!/usr/bin/env bash
# Makes a bare Debian 13 as a folder, from where this system has its packages, and lays the release NODE of Node with an
# npm of its own into FOLDER/node, as the base image of deploy/Containerfile has them in /usr/local:
# tools/release/bare-root.sh FOLDER NODE NPM. Where FOLDER/debian is there, it is taken as it is.
set -euo pipefail
folder=$(realpath --canonicalize-missing "$1") node=$2 npm=$3

mkdir -p "$folder/node/usr/local"
. /etc/os-release
sources=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null) || true
# Node itself needs libatomic from release 25 on.
[ -e "$folder/debian" ] || mmdebstrap --quiet --variant=minbase --include=ca-certificates,libatomic1 trixie "$folder/debian" - \
  <<<"${sources//$VERSION_CODENAME/trixie}"

packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
npm install --prefix "$packages" --ignore-scripts --no-save --no-audit --no-fund "node-linux-$(node -p process.arch)@$node" "npm@$npm" >&2
local=$folder/node/usr/local
install -D "$packages"/node_modules/node-linux-*/bin/node "$local/bin/node"
mkdir -p "$local/lib/node_modules"
cp -r "$packages/node_modules/npm" "$local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$local/bin/npx"
# The image's own user.
mkdir -p "$folder/node/etc"
for file in passwd group; do cp "$folder/debian/etc/$file" "$folder/node/etc/$file"; done
echo 'node:x:1000:1000::/home/node:/bin/bash' >>"$folder/node/etc/passwd"
echo 'node:x:1000:' >>"$folder/node/etc/group"
mkdir -p "$folder/node/home/node"
chown 1000:1000 "$folder/node/home/node"
