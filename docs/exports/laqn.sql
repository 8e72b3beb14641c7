-- London Air Quality Network: LaqnData.csv, a row a value, with a unit and a status; and a list of stations of your own.
-- Times are GMT all the year, and name the start of the hour.

CREATE VIEW organizations AS SELECT 1 AS organization_id, 'London Air Quality Network' AS name, 'LAQN' AS short_name;
CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, skip = 0, delim = ',', quote = '"', comment = '',
  types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'});
CREATE VIEW components AS FROM (VALUES ('NO2', 'µg/m³'), ('O3', 'µg/m³'), ('PM10', 'µg/m³')) AS list(short_name, unit);

-- Ratified and provisional values are published, invalid ones are not: the hour is there without a value. Any other status,
-- or unit, is refused. So is a file in which these columns are called otherwise.
CREATE VIEW measurements AS
SELECT "Site" AS station_code, "Species" AS short_name,
  strptime("ReadingDateTime", '%d/%m/%Y %H:%M') AS time_start_utc,
  CASE WHEN "Units" IS DISTINCT FROM 'ug m-3' THEN error(concat('unit ', "Units", ' of ', "Species"))
    WHEN "Status" IN ('R', 'P') THEN "Value" WHEN "Status" = 'X' THEN NULL
    ELSE error(concat('status ', "Status", ' at ', "ReadingDateTime")) END AS value
FROM read_csv('Laqn*.csv', files_to_sniff = 1, header = true, skip = 0, delim = ',', quote = '"', escape = '"', comment = '',
  types = {'Site': 'VARCHAR', 'Species': 'VARCHAR', 'ReadingDateTime': 'VARCHAR', 'Value': 'DOUBLE', 'Units': 'VARCHAR',
    'Status': 'VARCHAR'});
