-- A list of stations in UTF-8 beside measurements in Latin-1: with --encoding windows-1252 only the second one is decoded,
-- as a file that is valid UTF-8 stays as it is. Semicolons, the unit in the title, the start of the hour by winter time.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Messnetz' AS name, 'MN' AS short_name;
CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '',
  types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
CREATE VIEW components AS SELECT 'NO2' AS short_name, 'µg/m³' AS unit;

-- The file names no station: it is the only one of the list. Where the list has two, DuckDB refuses the subquery.
CREATE VIEW measurements AS
SELECT (SELECT station_code FROM stations) AS station_code, 'NO2' AS short_name, "NO2 (µg/m³)" AS value,
  utc(strptime("Zeit", '%d.%m.%Y %H:%M'), 'Etc/GMT-1') AS time_start_utc
FROM read_csv('werte*.csv', files_to_sniff = 1, header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '',
  types = {'Zeit': 'VARCHAR', 'NO2 (µg/m³)': 'DOUBLE'});
