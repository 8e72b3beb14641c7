#!/bin/sh
# Waits until every instance serves a snapshot, then bans answers of all other snapshots in Varnish.
#
#   INSTANCES="http://192.0.2.11:8080 http://192.0.2.12:8080" CACHES="http://192.0.2.10" after-publish.sh SNAPSHOT_ID
#
# For the end of the job that runs `bura publish` or `bura activate`. WAIT_SECONDS (default 600): how long an instance
# may take. The exit code is 1, after the caches were told, when one of them or of the instances did not do as it should.
set -eu

id=${1:?the id of the snapshot that was published}
: "${INSTANCES:?the base URLs of the instances}" "${CACHES:?the base URLs of the caches}"
deadline=$(($(date +%s) + ${WAIT_SECONDS:-600}))
status=0

for instance in $INSTANCES; do
  until curl --silent --max-time 5 "$instance/health/ready" | grep --quiet --fixed-strings "\"snapshot_id\":\"$id\""; do
    if [ "$(date +%s)" -ge "$deadline" ]; then
      echo "$instance does not serve $id" >&2
      status=1
      break
    fi
    sleep 0.5
  done
done

# Twice: an answer of the old snapshot may have been on its way, and a second front process swaps up to 2 s later.
for pause in 3 0; do
  for cache in $CACHES; do
    curl --silent --fail --show-error --max-time 5 --output /dev/null --request BAN --header "X-Snapshot-Id: $id" \
      "$cache/" || status=1
  done
  sleep "$pause"
done
exit "$status"
