url <- "http://localhost:8080/api/v1/observations.csv?station_id=28005002&parameter_code=NO2,PM10"

data <- read.csv(url, colClasses = c(station_id = "character"))
data$time <- as.POSIXct(data$time_start_utc, format = "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
data$day <- as.Date(data$time, tz = "Europe/Belgrade")
enough <- function(values) if (length(values) >= 18) mean(values) else NA # three quarters of a day
daily <- aggregate(value ~ day + parameter_code, data, enough)
print(tail(daily))

svg("no2.svg", width = 9, height = 4)
plot(value ~ time, subset(data, parameter_code == "NO2"), type = "l", ylab = "NO2")
invisible(dev.off())
