#!/bin/sh
# Publishes snapshots into an S3 bucket, which instances read as an http(s) store. A document is published into a folder
# (a file store) first; then the folder is copied into the bucket, documents before the pointer.
#
#   STORE_DIR=/var/lib/bura/store REMOTE=s3:bucket publish.sh [DOCUMENT [FLAG...]]
#
# FLAG is one of bura publish, such as --archive. Without DOCUMENT it only copies the folder, for example after `bura activate ID`. KEY_PREFIX (default demo) is the
# namespace. With KEEP=N it prunes the folder, and removes from the bucket what the folder no longer has. REMOTE is a
# bucket of rclone's configuration, or a folder in one. Even after a kill the bucket's pointer names a whole document; the
# same command again finishes the work. docs/operations/stores.md, "An S3 bucket as the store".
set -eu

: "${STORE_DIR:?the folder of the file store}" "${REMOTE:?the bucket, as rclone names it}"
prefix=${KEY_PREFIX:-demo}
# Not quoted below, because it may be two words: `npx bura`.
bura=${BURA:-bura}
folder=$STORE_DIR/$prefix
# The bucket exists, and the key may not have the right to check that.
export RCLONE_S3_NO_CHECK_BUCKET=true
forever='Cache-Control: public, max-age=31536000, immutable'

# One run at a time, so that the last one to end has the newest pointer.
exec 9>"$STORE_DIR.lock"
flock 9

if [ $# -gt 0 ]; then
  $bura publish "$@" --snapshot-store "file:$STORE_DIR" --key-prefix "$prefix"
fi

# Read the pointer, and the index of the archive, before the files are copied, so that what they name is in the bucket
# before they are.
pointer=$(mktemp)
index=$(mktemp)
trap 'rm -f "$pointer" "$index"' EXIT
cp "$folder/active.json" "$pointer"
if [ -e "$folder/archive/index.json" ]; then cp "$folder/archive/index.json" "$index"; fi

# A stored document never changes. rclone compares digests, and an object appears only when it is whole.
rclone copy --checksum --immutable --exclude '.tmp-*' --header-upload "$forever" "$folder/snapshots" \
  "$REMOTE/$prefix/snapshots"
rclone copyto --checksum --header-upload 'Cache-Control: no-cache' --header-upload 'Content-Type: application/json' \
  "$pointer" "$REMOTE/$prefix/active.json"

if [ -s "$index" ]; then
  rclone copy --checksum --immutable --include '*.parquet' --header-upload "$forever" "$folder/archive" \
    "$REMOTE/$prefix/archive"
  rclone copyto --checksum --header-upload 'Cache-Control: no-cache' --header-upload 'Content-Type: application/json' \
    "$index" "$REMOTE/$prefix/archive/index.json"
fi

if [ -n "${KEEP:-}" ]; then
  $bura prune --keep "$KEEP" --snapshot-store "file:$STORE_DIR" --key-prefix "$prefix"
  rclone sync --checksum --immutable --exclude '.tmp-*' --header-upload "$forever" "$folder/snapshots" \
    "$REMOTE/$prefix/snapshots"
  if [ -s "$index" ]; then
    rclone sync --checksum --immutable --include '*.parquet' --header-upload "$forever" "$folder/archive" \
      "$REMOTE/$prefix/archive"
  fi
fi
