-- Ostluft, Switzerland: ten header lines, of which line 1 has the station, 5 the component, 8 the unit; the same component
-- stands there twice, as mass and as volume. Latin-1: bura build --from DIR --encoding windows-1252
-- "Startzeit" is the start of the hour, by winter time all the year.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Ostluft' AS name, 'OL' AS short_name;
CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '',
  types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
CREATE VIEW components AS FROM (VALUES ('CO', 'mg/m3'), ('NO', 'µg/m3'), ('NO2', 'µg/m3'), ('O3', 'µg/m3'),
  ('PM10', 'µg/m3'), ('SO2', 'µg/m3')) AS list(short_name, unit);

-- A row for each cell; `line` counts from 1 in each file, `col` is the column.
CREATE TABLE cells AS
SELECT filename, line - min(line) OVER (PARTITION BY filename) + 1 AS line, column00 AS time, col, cell
FROM (SELECT *, row_number() OVER () AS line FROM read_csv('*_h1_*.csv', files_to_sniff = 1, filename = true,
  header = false, skip = 0, delim = ';', quote = '"', escape = '"', comment = '', all_varchar = true))
UNPIVOT INCLUDE NULLS (cell FOR col IN (COLUMNS(* EXCLUDE (filename, line, column00))));
SELECT error(filename || ': line 10 is not the one of Startzeit') FROM cells
WHERE line = 10 AND time IS DISTINCT FROM 'Startzeit';
CREATE TABLE titles AS
SELECT filename, col, max(cell) FILTER (line = 1) AS station_code, max(cell) FILTER (line = 5) AS short_name,
  max(cell) FILTER (line = 8) AS unit
FROM cells GROUP BY ALL
HAVING coalesce(unit NOT IN ('ppm', 'ppb', '%Hr', 'hPa', 'min', 'W/m2', '°C', '°', 'm/s'), true);

-- What is left has to be a component of the list, in its unit.
CREATE VIEW measurements AS
SELECT station_code, short_name, utc(strptime(time, '%d.%m.%Y %H:%M'), 'Etc/GMT-1') AS time_start_utc,
  CASE WHEN titles.unit = components.unit THEN cell ELSE error(concat(short_name, ' in ', titles.unit)) END AS value
FROM cells JOIN titles USING (filename, col) LEFT JOIN components USING (short_name) WHERE line > 10;
