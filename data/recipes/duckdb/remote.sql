SELECT parameter_code, any_value(unit) AS unit, avg(value) AS mean, max(value) AS highest
FROM read_parquet('http://localhost:8080/api/v1/bulk/observations_hourly_preliminary_last30days.parquet')
WHERE station_id = '28005002'
GROUP BY parameter_code
ORDER BY parameter_code;
