library(edr4r)

client <- edr_client("http://localhost:8080/ogc")

month <- edr_location(client, "observations", "28005002", parameter_name = c("NO2", "PM10"))
hours <- covjson_to_tibble(month)
hours$day <- as.Date(hours$datetime, tz = "UTC")
print(aggregate(value ~ parameter + day, hours, mean))

near <- edr_radius(client, "observations", c(-3.36, 40.48),
  within = 20, parameter_name = "NO2", datetime = "2026-02-08")
print(aggregate(value ~ coverage_id, covjson_to_tibble(near), max))
