curl --fail --silent --show-error --compressed \
  --etag-compare latest.etag --etag-save latest.etag \
  --output latest.json --write-out '%{http_code}\n' \
  'http://localhost:8080/api/v1/observations/latest'
