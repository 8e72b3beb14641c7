-- Umweltbundesamt, Germany: luftqualitaet_1140.csv as its portal gives it, and a list of stations of your own.
-- Semicolons, a column a pollutant, '-' for no value, a line of one cell at the end that names the source. The time stands
-- in apostrophes within quotes; it is the end of the hour by the clock on the wall, 01:00 to 24:00.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Umweltbundesamt' AS name, 'UBA' AS short_name;
CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '',
  types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
CREATE VIEW components AS FROM (VALUES ('PM10_24h', 'µg/m³', 'mean of the 24 hours before'), ('O3', 'µg/m³', NULL),
  ('NO2', 'µg/m³', NULL)) AS list(short_name, unit, description);

-- Short lines get empty cells (null_padding) because of the source line; of every other line the last cell must be there.
-- An hour starts one before its end: hour 24 does so at 23:00, and strptime refuses an hour 0, which this layout has not.
CREATE TABLE hours AS
SELECT *, "Station code" AS station_code, row_number() OVER () AS line, trim("Date", '''') AS label,
  CASE WHEN "Air quality index" IS NULL THEN error('not a line of measurements: ' || "Station code")
    WHEN NOT regexp_full_match(label, '\d{4}-\d\d-\d\d \d\d:00') THEN error('not an hour: ' || label)
    ELSE strptime(label[:11] || (label[12:13]::INT - 1), '%Y-%m-%d %H') END AS start
FROM read_csv('luftqualitaet*.csv', files_to_sniff = 1, filename = true, null_padding = true, all_varchar = true,
  header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '')
WHERE "Station code" NOT LIKE 'Source:%';

-- The hour that the clock shows twice in autumn has two rows, the earlier one first.
SELECT error('not in the order of time, or one row of two: ' || start) FROM hours
QUALIFY lag(start) OVER (PARTITION BY filename, station_code ORDER BY line) > start
  OR (count(*) OVER (PARTITION BY station_code, start) = 1
    AND timezone('Europe/Berlin', utc(start, 'Europe/Berlin') + INTERVAL 1 HOUR) = start);

-- The unit is part of the titles. With another unit, the title that is named here is not there.
CREATE VIEW measurements AS
SELECT station_code, short_name, utc(start, 'Europe/Berlin', nth) AS time_start_utc, nullif(cell, '-') AS value
FROM (SELECT *, row_number() OVER (PARTITION BY station_code, start ORDER BY line) AS nth FROM hours)
UNPIVOT INCLUDE NULLS (cell FOR short_name IN (
  "Particulate matter (PM₁₀) Daily average (hourly floating) in µg/m³" AS 'PM10_24h',
  "Ozone (O₃) One hour average in µg/m³" AS 'O3', "Nitrogen dioxide (NO₂) One hour average in µg/m³" AS 'NO2'));
