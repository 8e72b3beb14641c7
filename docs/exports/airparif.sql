-- Airparif, Paris: a file of one station, semicolons, a column a component, a row of units below the header, 'n/d' for no
-- value. Hours 1 to 24 of UTC, named by their end.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Airparif' AS name, 'AP' AS short_name;
CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '',
  types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
CREATE TABLE cells AS
FROM read_csv('airparif*.csv', files_to_sniff = 1, all_varchar = true,
  header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '')
UNPIVOT INCLUDE NULLS (cell FOR short_name IN (COLUMNS(* EXCLUDE (date, heure))));

-- The row of units is the one without a time. Where two files differ, a component is there twice, which is refused.
CREATE VIEW components AS
SELECT DISTINCT short_name, replace(replace(cell, 'microg', 'µg'), 'm3', 'm³') AS unit
FROM cells WHERE concat(date, heure) = '' ORDER BY ALL;
-- The units are what the file says; the components have to be known.
CREATE VIEW measurements AS
SELECT (SELECT station_code FROM stations) AS station_code, nullif(cell, 'n/d') AS value,
  CASE WHEN short_name IN ('CO', 'NO2', 'O3', 'PM10', 'PM25') THEN short_name
    ELSE error('a column ' || short_name) END AS short_name,
  strptime(date || ' ' || (heure::INT - 1), '%d/%m/%Y %H') AS time_start_utc
FROM cells WHERE concat(date, heure) <> '';
