url=http://localhost:8080/api/v1
if [ -s snapshot-id ]; then
  url="$url/changes?since=$(cat snapshot-id)" file=changes.ndjson
else
  url="$url/observations/stream" file=observations.ndjson
fi
curl --fail --silent --show-error --compressed --output "$file" \
  --write-out '%header{x-snapshot-id}' "$url" > snapshot-id.new &&
  mv snapshot-id.new snapshot-id && head -n 1 "$file"
