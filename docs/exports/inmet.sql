-- INMET, Brazil: a file a station, eight lines about the station above the header, semicolons, one at the end of each line
-- too, decimals such as ,8, and hours such as 0000 UTC, named by their start. Latin-1: --encoding windows-1252

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'Instituto Nacional de Meteorologia' AS name, 'INMET' AS short_name;
CREATE VIEW stations AS
SELECT codigo AS station_code, nome AS station_name, latitude, longitude
FROM read_csv('estacoes.csv', decimal_separator = ',',
  header = true, skip = 0, delim = ';', quote = '"', escape = '"', comment = '',
  types = {'codigo': 'VARCHAR', 'nome': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
CREATE VIEW components AS FROM (VALUES ('RAIN', 'mm'), ('TEMP', '°C'), ('WS', 'm/s')) AS list(short_name, unit);

-- The station is in a line above the header. The unit is part of the titles: with another unit, the title is not there.
CREATE VIEW measurements AS
SELECT regexp_extract(content, '(?m)^CODIGO \(WMO\):;(\w+)', 1) AS station_code, short_name, value,
  strptime("Data" || ' ' || "Hora UTC", '%Y/%m/%d %H%M UTC') AS time_start_utc
FROM read_csv('INMET*.CSV', files_to_sniff = 1, filename = true, decimal_separator = ',',
  header = true, skip = 8, delim = ';', quote = '"', escape = '"', comment = '',
  types = {'Data': 'VARCHAR', 'Hora UTC': 'VARCHAR', 'PRECIPITAÇÃO TOTAL, HORÁRIO (mm)': 'DOUBLE',
    'TEMPERATURA DO AR - BULBO SECO, HORARIA (°C)': 'DOUBLE', 'VENTO, VELOCIDADE HORARIA (m/s)': 'DOUBLE'})
JOIN read_text('INMET*.CSV') USING (filename)
UNPIVOT INCLUDE NULLS (value FOR short_name IN ("PRECIPITAÇÃO TOTAL, HORÁRIO (mm)" AS 'RAIN',
  "TEMPERATURA DO AR - BULBO SECO, HORARIA (°C)" AS 'TEMP', "VENTO, VELOCIDADE HORARIA (m/s)" AS 'WS'));
