-- Agencija za obalu: a file a station, RI1_2025.csv, and "popis postaja.csv". Windows-1250: --encoding windows-1250
-- Semicolons, decimal commas, a column a component, -999 for no value. Hours 1 to 24 of local time, named by their end.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Agencija za obalu' AS name, 'AZO' AS short_name;
-- A quote is a second of arc here.
CREATE VIEW stations AS
SELECT "Šifra postaje" AS station_code, "Naziv postaje" AS station_name, degrees("Širina") AS latitude,
  degrees("Dužina") AS longitude, "Nadmorska visina" AS elevation_m
FROM read_csv('popis postaja.csv', header = true, skip = 0, delim = ';', quote = '', comment = '', all_varchar = true);
CREATE VIEW components AS FROM (VALUES ('NO2', 'µg/m³'), ('PM10', 'µg/m³')) AS list(short_name, unit);

-- The station is in the name of the file. The unit is part of the titles: with another unit, the title is not there.
CREATE TABLE hours AS
SELECT *, split_part(parse_filename(filename), '_', 1) AS station_code, row_number() OVER () AS line,
  strptime("Datum" || ' ' || ("Sat" - 1), '%d.%m.%Y %H') AS start
FROM read_csv('*_20[0-9][0-9].csv', files_to_sniff = 1, filename = true, decimal_separator = ',',
  header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '',
  types = {'Datum': 'VARCHAR', 'Sat': 'INT', 'NO2 (µg/m3)': 'DOUBLE', 'PM10 (µg/m3)': 'DOUBLE'});
-- The hour that the clock shows twice in autumn has two rows, the earlier one first.
SELECT error('not in the order of time, or one row of two: ' || start) FROM hours
QUALIFY lag(start) OVER (PARTITION BY filename, station_code ORDER BY line) > start
  OR (count(*) OVER (PARTITION BY station_code, start) = 1
    AND timezone('Europe/Zagreb', utc(start, 'Europe/Zagreb') + INTERVAL 1 HOUR) = start);

CREATE VIEW measurements AS
SELECT station_code, short_name, utc(start, 'Europe/Zagreb', nth) AS time_start_utc, nullif(value, -999) AS value
FROM (SELECT *, row_number() OVER (PARTITION BY station_code, start ORDER BY line) AS nth FROM hours)
UNPIVOT INCLUDE NULLS (value FOR short_name IN ("NO2 (µg/m3)" AS 'NO2', "PM10 (µg/m3)" AS 'PM10'));
