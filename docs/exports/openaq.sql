-- OpenAQ: a row a value, each with its unit and a time with its offset (%z: without one it is refused). OpenAQ names an hour
-- by its end.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'OpenAQ' AS name, 'OpenAQ' AS short_name;
CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '',
  types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
CREATE VIEW export AS FROM read_csv('openaq*.csv', files_to_sniff = 1,
  header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '',
  types = {'Location': 'VARCHAR', 'Pollutant': 'VARCHAR', 'Unit': 'VARCHAR', 'Value': 'DOUBLE',
    'Last Updated': 'VARCHAR'});

-- The unit is what the rows say, whatever is usual of a component: CO is in micrograms here. A component with two units
-- would be there twice, which is refused.
CREATE VIEW components AS SELECT DISTINCT "Pollutant" AS short_name, "Unit" AS unit FROM export ORDER BY ALL;
CREATE VIEW measurements AS
SELECT "Location" AS station_code, "Pollutant" AS short_name, "Value" AS value,
  strptime("Last Updated", '%Y-%m-%dT%H:%M:%S%z') - INTERVAL 1 HOUR AS time_start_utc
FROM export;
