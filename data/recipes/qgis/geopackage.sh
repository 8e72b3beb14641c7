url=http://localhost:8080/api/v1
curl --fail --silent --show-error --compressed --remote-name "$url/bulk/stations.geojson"
curl --fail --silent --show-error --compressed --output latest.csv \
  "$url/observations/latest.csv?parameter_code=NO2"
ogr2ogr -overwrite no2.gpkg stations.geojson -nln no2 -dialect SQLite -sql \
  "SELECT s.*, CAST(l.value AS REAL) AS no2, l.time_start_utc AS time_utc
   FROM stations s JOIN 'latest.csv'.latest l ON l.station_id = s.station_id"
