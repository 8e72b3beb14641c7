#!/bin/bash
# Builds a snapshot document from tables and publishes it: for cron or a systemd timer, as often as every ten minutes.
#
#   publish.sh FOLDER [FLAG...]   the folder with stations.csv, components.csv, measurements.csv..., and flags of bura build
#
# BURA_ENV   file with the settings, one line NAME=value each (default: /etc/bura/bura.env); the environment takes precedence
# BURA       the command (default: bura)
# PUBLISH_FLAGS   flags of bura publish, such as --archive, separated by blanks (default: none)
# KEEP       number of snapshots that stay in the store (default: 144, a day of one every ten minutes)
#
# Exit codes: 0 published, or published before; 1 failed; 2 bad usage or configuration; 75 the previous run is at work.
# A failure is one line on stderr; the active snapshot stays active.
set -euo pipefail

fail() {
  echo "publish.sh: $2" >&2
  exit "$1"
}

# Reads the file as systemd does: values are literal, without the quotes around them.
read_settings() {
  local line name value
  while IFS= read -r line || [[ -n $line ]]; do
    [[ $line =~ ^[[:space:]]*([A-Z_][A-Z0-9_]*)=(.*)$ ]] || continue
    name=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
    if [[ $value =~ ^\"(.*)\"$ || $value =~ ^\'(.*)\'$ ]]; then value=${BASH_REMATCH[1]}; fi
    if [[ -z ${!name+set} ]]; then export "$name=$value"; fi
  done <"$1"
}

[[ $# -ge 1 ]] || fail 2 'usage: publish.sh FOLDER [FLAG...]'
tables=$1
shift
settings=${BURA_ENV:-/etc/bura/bura.env}
[[ -r $settings ]] || fail 2 "cannot read the settings in $settings (BURA_ENV)"
read_settings "$settings"
bura=${BURA:-bura}
[[ ${KEEP:=144} =~ ^[1-9][0-9]*$ ]] || fail 2 "KEEP is $KEEP: expected a number above 0"

# One run at a time for these settings.
exec 9<"$settings"
flock --nonblock 9 || fail 75 'another run is not done yet'

work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
# A command that hangs keeps the next runs out, but not for ever.
run() {
  local code=0
  timeout --kill-after=30 900 "$bura" "$@" 9<&- || code=$?
  case $code in
    0) ;;
    1 | 2) exit "$code" ;;
    124 | 137) fail 1 "bura $1 took longer than 15 minutes" ;;
    *) fail 1 "bura $1 ended with $code" ;;
  esac
}

run build --from "$tables" --out "$work/snapshot.json.gz" "$@"
read -ra flags <<<"${PUBLISH_FLAGS:-}"
run publish "$work/snapshot.json.gz" "${flags[@]}"
run prune --keep "$KEEP"
