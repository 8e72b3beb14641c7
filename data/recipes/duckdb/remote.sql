SET VARIABLE file = (
  SELECT 'http://localhost:8080/api/v1/bulk/' || file.sha256 || '/' || file.name
  FROM (SELECT unnest(resources) AS file FROM read_json('http://localhost:8080/api/v1/bulk'))
  WHERE file.format = 'parquet'
);

SELECT parameter_code, any_value(unit) AS unit, avg(value) AS mean, max(value) AS highest
FROM read_parquet(getvariable('file'))
WHERE station_id = '28005002'
GROUP BY parameter_code
ORDER BY parameter_code;
