#!/usr/bin/env bash
# Installs a release of Node as FOLDER/bin/node, from the npm registry: tools/install-node.sh 26.10.0 FOLDER
#
# Where glibc is older than the 2.38 that uWebSockets.js needs from Node 24 on, that Node alone gets the C library of
# Debian 13, laid beside it. This takes Debian, root, and the packages mmdebstrap and patchelf, which it installs.
set -euo pipefail
release=$1 folder=$(realpath --canonicalize-missing "$2")

mkdir -p "$folder/bin"
npm install --prefix "$folder" --no-save --no-audit --no-fund "node-linux-$(node -p process.arch)@$release" >&2
node=$folder/bin/node
cp "$folder"/node_modules/node-linux-*/bin/node "$node"

glibc=$(getconf GNU_LIBC_VERSION)
oldest=$(printf '%s\n' "${glibc#glibc }" 2.38 | sort --version-sort | head -n 1)
if [[ $oldest != 2.38 ]]; then
  export DEBIAN_FRONTEND=noninteractive
  if ! dpkg --status mmdebstrap patchelf >/dev/null 2>&1; then
    { apt-get update -qq && apt-get install -qq -y --no-install-recommends mmdebstrap patchelf; } >&2
  fi
  . /etc/os-release
  # From where this system has its packages.
  sources=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null) || true
  mmdebstrap --quiet --variant=extract --include=libc6,libatomic1,libgcc-s1,libstdc++6 trixie "$folder/debian-13" - \
    <<<"${sources//$VERSION_CODENAME/trixie}"
  libraries=$(dirname "$(echo "$folder"/debian-13/usr/lib/*-linux-gnu/libc.so.6)")
  patchelf --set-interpreter "$(echo "$libraries"/ld-linux*)" --set-rpath "$libraries" "$node"
fi
"$node" --version
