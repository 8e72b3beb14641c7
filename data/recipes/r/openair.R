library(openair)

url <- "http://localhost:8080/api/v1/observations.csv?layout=wide&station_id=28005002"

air <- read.csv(url, colClasses = c(station_id = "character"))
air$date <- as.POSIXct(air$time_start_utc, format = "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
air$site <- air$station_name
air$ws <- air$WS # m/s
air$wd <- air$WD # degrees, from where the wind blows

windRose(air)
polarPlot(air, pollutant = "NO2")
timeVariation(air, pollutant = c("NO2", "PM10"), local.tz = "Europe/Belgrade")
