#!/usr/bin/env bash
# Boots a root that consists of layers, in namespaces of its own, with its systemd as process 1, as root:
# tools/release/boot-root.sh LAYER[:LAYER...] CHANGES
#
# LAYER is a folder, the uppermost first. The network is one of its own, with nothing but its loopback. The root ends
# with this script. nsenter --target PID --all gets into it; PID is that of the child of unshare.
set -euo pipefail
export LAYERS=$1 CHANGES=$2
mkdir -p "$CHANGES/upper" "$CHANGES/work" "$CHANGES/root"

exec unshare --mount --pid --net --uts --ipc --cgroup --propagation private --fork --kill-child -- bash -euo pipefail -c '
root=$CHANGES/root
mount -t overlay overlay -o "lowerdir=$LAYERS,upperdir=$CHANGES/upper,workdir=$CHANGES/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
cd "$root"
mkdir -p .old
pivot_root . .old
umount --lazy /.old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /usr/lib/systemd/systemd --log-target=console --show-status=no
'
