-- Measurements with points and commas between cells; a list of stations with decimal commas and semicolons, and words of its
-- own. Each file is read with its own options. Hours 1 to 24 of local time, named by their end. The unit is not in the file.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Agencia de Protección Ambiental' AS name, 'APRA' AS short_name;
CREATE VIEW stations AS
SELECT codigo AS station_code, nombre AS station_name, lat AS latitude, long AS longitude
FROM read_csv('estaciones.csv', decimal_separator = ',',
  header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '',
  types = {'codigo': 'VARCHAR', 'nombre': 'VARCHAR', 'lat': 'DOUBLE', 'long': 'DOUBLE'});
CREATE VIEW components AS SELECT 'CO' AS short_name, 'ppm' AS unit;

-- The file names no station: it is the only one of the list. Where the list has two, DuckDB refuses the subquery.
CREATE VIEW measurements AS
SELECT (SELECT station_code FROM stations) AS station_code, 'CO' AS short_name, co AS value,
  utc(strptime(fecha || ' ' || (hora - 1), '%Y-%m-%d %H'), 'America/Argentina/Buenos_Aires') AS time_start_utc
FROM read_csv('calidad*.csv', files_to_sniff = 1, decimal_separator = '.', nullstr = ['', 's/d'],
  header = true, skip = 0, delim = ',', quote = '"', escape = '"', comment = '',
  types = {'fecha': 'VARCHAR', 'hora': 'INT', 'co': 'DOUBLE'});
