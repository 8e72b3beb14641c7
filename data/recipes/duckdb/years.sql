-- curl --fail --remote-name http://localhost:8080/api/v1/archive.sql
-- duckdb -init archive.sql
SELECT parameter_code, unit, year(date) AS year,
  round(sum(coalesce(sum, mean * hours)) / sum(hours), 1) AS mean, max(maximum) AS highest, sum(hours) AS hours
FROM daily
WHERE station_id = '28005002' AND minimum IS NOT NULL -- without directions
GROUP BY ALL
ORDER BY ALL;
