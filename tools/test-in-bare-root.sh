#!/usr/bin/env bash
# Types the README's second command where nothing but Node is: `npm ci && npm test` on a copy of this checkout, in a root
# that tools/release/bare-root.sh has made, as root. What npm says to warn of counts as a failure.
#
# [AS=1000:1000] [OFFLINE=1] [NO_RIGHTS=1] [FAULTS_SCALE=1] tools/test-in-bare-root.sh BARE_ROOT [ARGUMENTS OF npm test...]
#
# AS is who types it (0:0 is root). With OFFLINE there is no network but the loopback interface after npm ci. With
# NO_RIGHTS whoever types it, root too, has no capabilities. FAULTS_SCALE: of tests that are run by chance, how many.
set -euo pipefail
bare_root=$(realpath "$1")
shift
as=${AS:-1000:1000}
cd "$(dirname "$0")/.."

changes=$(mktemp -d)
trap 'rm -rf "$changes"' EXIT
chmod 755 "$changes"
home=/home/node
[[ $as == 0:0 ]] && home=/root
mkdir -p "$changes/upper$home/bura"
git ls-files -z --cached --others --exclude-standard |
  xargs -0 cp --parents --target-directory "$changes/upper$home/bura"
chown -R "$as" "$changes/upper$home"

# npm knows where packages come from, and nothing else of the settings here.
registry=$(npm config get registry) certificates=$(npm config get cafile)
if [[ $certificates == null ]]; then certificates=; fi

# in_root COMMAND...: in the copy, in the root.
in_root() {
  env --ignore-environment PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "HOME=$home" "AS=$as" \
    "CA_FILE=$certificates" "NO_RIGHTS=${NO_RIGHTS:-}" "OFFLINE=$offline" "FAULTS_SCALE=${FAULTS_SCALE:-1}" \
    npm_config_update_notifier=false "npm_config_registry=$registry" \
    ${certificates:+"npm_config_cafile=$certificates"} \
    tools/release/in-root.sh "$bare_root/node:$bare_root/debian" "$changes" \
    sh -c 'cd "$HOME/bura" && exec "$@"' in-copy "$@"
}

offline=
started=$SECONDS
in_root npm ci --no-audit --no-fund 2>&1 | tee "$changes/npm-ci.txt" >&2
if grep -q '^npm warn' "$changes/npm-ci.txt"; then
  echo 'npm ci warns of something' >&2
  exit 1
fi
echo "npm ci: $((SECONDS - started)) s" >&2

offline=${OFFLINE:-}
started=$SECONDS
status=0
in_root npm test -- "$@" || status=$?
echo "npm test: $((SECONDS - started)) s, exit code $status" >&2
exit "$status"
