#!/usr/bin/env bash
# Runs a command in a root that consists of layers, in namespaces of its own, as root:
# [READ_ONLY=1] [NO_RIGHTS=1] [OFFLINE=1] [VOLUME=FOLDER:PATH] [AS=1000:1000] tools/release/in-root.sh LAYER[:LAYER...] CHANGES COMMAND...
#
# LAYER is a folder, the uppermost first. What the command changes lies in CHANGES/upper. The environment is that of the
# caller. With NO_RIGHTS the command has none of root's capabilities, whoever runs it. With READ_ONLY it has none either, and
# nothing but VOLUME can be written to. With OFFLINE there is no network but the loopback interface.
set -euo pipefail
layers=$1 changes=$2
shift 2
mkdir -p "$changes/upper" "$changes/work" "$changes/root"
export LAYERS=$layers CHANGES=$changes
export CA_FILE=${CA_FILE:-} READ_ONLY=${READ_ONLY:-} NO_RIGHTS=${NO_RIGHTS:-${READ_ONLY:-}} OFFLINE=${OFFLINE:-} VOLUME=${VOLUME:-} AS=${AS:-0:0}

# The process that the caller sees is the command itself: signals and the exit code are its own.
exec unshare --mount --propagation private ${OFFLINE:+--net} -- bash -euo pipefail -c '
root=$CHANGES/root
# The loopback interface of a new network namespace is down.
if [ -n "$OFFLINE" ]; then ip link set lo up; fi
mount -t overlay overlay -o "lowerdir=$LAYERS,upperdir=$CHANGES/upper,workdir=$CHANGES/work" "$root"
for file in /etc/resolv.conf $CA_FILE; do
  mkdir -p "$(dirname "$root$file")"
  [ -e "$root$file" ] || touch "$root$file"
  mount --bind "$file" "$root$file"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
if [ -n "$VOLUME" ]; then
  mkdir -p "$root${VOLUME#*:}"
  mount --bind "${VOLUME%%:*}" "$root${VOLUME#*:}"
fi
user=(setpriv "--reuid=${AS%:*}" "--regid=${AS#*:}" --clear-groups)
if [ -n "$READ_ONLY" ]; then
  mount -o remount,bind,ro "$root"
fi
if [ -n "$NO_RIGHTS" ]; then
  user+=(--no-new-privs --bounding-set=-all --inh-caps=-all)
fi
unset LAYERS CHANGES CA_FILE READ_ONLY NO_RIGHTS OFFLINE VOLUME AS
exec chroot "$root" "${user[@]}" -- "$@"
' in-root "$@"
