SET TimeZone = 'Europe/Belgrade';

SELECT station_name, time_start_utc::DATE AS day, avg(value) AS mean, count(value) AS hours
FROM read_parquet('observations_hourly_preliminary_last30days.parquet')
JOIN read_csv('stations.csv', types = {'station_id': 'VARCHAR'}) USING (station_id)
WHERE parameter_code = 'PM10'
GROUP BY station_name, day
HAVING hours >= 18
ORDER BY mean DESC
LIMIT 10;
