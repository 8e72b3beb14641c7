-- Red de la Meseta: stations in a workbook, in UTM (ETRS89, zone 30); a row a value, with a unit and a state.
-- Latin-1: bura build --from DIR --encoding windows-1252
-- Codes with leading zeros, days first, hours 0 to 23 of local time by their start, -9999 for no value.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Red de la Meseta' AS name, 'RM' AS short_name;
CREATE VIEW stations AS
SELECT "Código" AS station_code, "Nombre" AS station_name, "Dirección" AS address,
  "UTM X"::DOUBLE AS x, "UTM Y"::DOUBLE AS y, 25830 AS epsg, CASE "Tipo estación" WHEN 'fondo urbano' THEN 'background'
    WHEN 'tráfico' THEN 'traffic' WHEN 'industrial' THEN 'industrial' ELSE 'other' END AS station_type
FROM read_csv('estaciones.xlsx.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '', all_varchar = true);
CREATE VIEW components AS FROM (VALUES ('NO2', 'µg/m³'), ('O3', 'µg/m³'), ('SO2', 'µg/m³')) AS list(short_name, unit);

CREATE TABLE hours AS
SELECT *, "Estación" AS station_code, "Contaminante" AS short_name, row_number() OVER () AS line,
  strptime("Fecha" || ' ' || "Hora", '%d/%m/%Y %H') AS start
FROM read_csv('datos*.csv', files_to_sniff = 1, filename = true,
  header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '',
  types = {'Estación': 'VARCHAR', 'Fecha': 'VARCHAR', 'Hora': 'INT', 'Contaminante': 'VARCHAR', 'Valor': 'DOUBLE',
    'Unidad': 'VARCHAR', 'Estado': 'VARCHAR'});
-- The hour that the clock shows twice in autumn has two rows, the earlier one first.
SELECT error('not in the order of time, or one row of two: ' || start) FROM hours
QUALIFY lag(start) OVER (PARTITION BY filename, station_code, short_name ORDER BY line) > start
  OR (count(*) OVER (PARTITION BY station_code, short_name, start) = 1
    AND timezone('Europe/Madrid', utc(start, 'Europe/Madrid') + INTERVAL 1 HOUR) = start);

-- Valid and provisional values are published, of those that are not valid the hour without a value.
CREATE VIEW measurements AS
SELECT station_code, short_name,
  utc(start, 'Europe/Madrid', row_number() OVER (PARTITION BY station_code, short_name, start ORDER BY line))
    AS time_start_utc,
  CASE WHEN "Unidad" IS DISTINCT FROM 'µg/m³' THEN error(concat('unit ', "Unidad", ' of ', short_name))
    WHEN "Estado" IN ('V', 'T') THEN nullif("Valor", -9999) WHEN "Estado" = 'N' THEN NULL
    ELSE error(concat('state ', "Estado", ' at ', start)) END AS value
FROM hours;
