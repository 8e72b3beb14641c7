-- curl --fail --remote-name http://localhost:8080/api/v1/archive.sql
-- duckdb -init archive.sql
SET TimeZone = 'UTC';

SELECT parameter_code, year(time_start_utc) AS year,
  round(avg(value), 1) AS mean, max(value) AS highest, count(value) AS hours
FROM observations
WHERE station_id = '28005002'
GROUP BY ALL
ORDER BY ALL;
