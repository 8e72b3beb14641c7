-- Cyrillic names in windows-1251: bura build --from DIR --encoding windows-1251 decodes them first, and SQL finds UTF-8.
-- Commas, points; local time, named by the start of the hour.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Мрежа' AS name, 'М' AS short_name;
CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '',
  types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
-- The file does not say the unit.
CREATE VIEW components AS SELECT 'PM10' AS short_name, 'µg/m³' AS unit;

CREATE TABLE hours AS
SELECT *, row_number() OVER () AS line, strptime("time", '%Y-%m-%d %H:%M') AS start
FROM read_csv('values*.csv', files_to_sniff = 1, filename = true,
  header = true, skip = 0, delim = ',', quote = '"', escape = '"', comment = '',
  types = {'station': 'VARCHAR', 'time': 'VARCHAR', 'PM10': 'DOUBLE'});
-- In autumn the clock shows an hour twice: there are two rows, the earlier one first. One row alone could be of either hour,
-- and where rows are not in the order of time, so could both.
SELECT error('not in the order of time, or one row of two: ' || start) FROM hours
QUALIFY lag(start) OVER (PARTITION BY filename, station ORDER BY line) > start
  OR (count(*) OVER (PARTITION BY station, start) = 1
    AND timezone('Europe/Belgrade', utc(start, 'Europe/Belgrade') + INTERVAL 1 HOUR) = start);

CREATE VIEW measurements AS
SELECT station AS station_code, 'PM10' AS short_name, "PM10" AS value,
  utc(start, 'Europe/Belgrade', row_number() OVER (PARTITION BY station, start ORDER BY line)) AS time_start_utc
FROM hours;
