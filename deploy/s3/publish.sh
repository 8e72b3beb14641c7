#!/bin/sh
# Publishes snapshots into a bucket that speaks S3, and that instances read as an http(s) store. What is published goes
# into a folder first, the file store that the bucket is a mirror of: documents, then the pointer.
#
#   STORE_DIR=/var/lib/bura/store REMOTE=s3:bucket publish.sh [DOCUMENT]
#
# Without DOCUMENT the bucket is only brought up to the folder, as after `bura activate ID`. KEY_PREFIX (default demo) is
# the namespace; with KEEP=N the folder is pruned, and what it does not have any more leaves the bucket. REMOTE is a
# bucket of rclone's configuration, or a folder in one. Whenever it ends, be it by a kill, the bucket has a pointer to a
# whole document; the same command again finishes what is left. docs/operations.md, "An S3 bucket as the store".
set -eu

: "${STORE_DIR:?the folder of the file store}" "${REMOTE:?the bucket, as rclone names it}"
prefix=${KEY_PREFIX:-demo}
# More than one word where it is `npx bura`.
bura=${BURA:-bura}
folder=$STORE_DIR/$prefix
# The bucket is there, and the key may not be allowed to look.
export RCLONE_S3_NO_CHECK_BUCKET=true
forever='Cache-Control: public, max-age=31536000, immutable'

# One at a time: of two, the later one has the newer pointer.
exec 9>"$STORE_DIR.lock"
flock 9

if [ $# -gt 0 ]; then
  $bura publish "$1" --snapshot-store "file:$STORE_DIR" --key-prefix "$prefix"
fi

# The pointer as it is before the documents go: whatever it names is there when it comes.
pointer=$(mktemp)
trap 'rm -f "$pointer"' EXIT
cp "$folder/active.json" "$pointer"

# A stored document never changes; rclone compares digests, and an object appears when it is whole.
rclone copy --checksum --immutable --exclude '.tmp-*' --header-upload "$forever" "$folder/snapshots" \
  "$REMOTE/$prefix/snapshots"
rclone copyto --checksum --header-upload 'Cache-Control: no-cache' --header-upload 'Content-Type: application/json' \
  "$pointer" "$REMOTE/$prefix/active.json"

if [ -n "${KEEP:-}" ]; then
  $bura prune --keep "$KEEP" --snapshot-store "file:$STORE_DIR" --key-prefix "$prefix"
  rclone sync --checksum --immutable --exclude '.tmp-*' --header-upload "$forever" "$folder/snapshots" \
    "$REMOTE/$prefix/snapshots"
fi
