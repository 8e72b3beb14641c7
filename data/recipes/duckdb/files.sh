url=http://localhost:8080/api/v1/bulk
for file in stations.csv observations_hourly_preliminary_last30days.parquet; do
  curl --fail --silent --show-error --etag-compare "$file.etag" --etag-save "$file.etag" \
    --output "$file" --write-out "%{http_code} $file\n" "$url/$file"
done
