url=http://localhost:8080/api/v1/bulk
file=observations_hourly_preliminary_last30days.csv
curl --fail --silent --show-error "$url/SHA256SUMS" | grep "$file" > "$file.sha256"
sha256sum --check --status "$file.sha256" ||
  curl --fail --retry 5 --continue-at - --remote-name "$url/$file"
sha256sum --check "$file.sha256" || rm "$file"
