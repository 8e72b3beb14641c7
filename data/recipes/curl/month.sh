curl --fail --compressed --output station.csv \
  'http://localhost:8080/api/v1/observations.csv?station_id=28005002&layout=wide'
