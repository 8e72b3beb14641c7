url <- "http://localhost:8080/api/v1/archive/daily.csv?station_id=28005002"

data <- read.csv(url, colClasses = c(station_id = "character", date = "Date"))
days <- subset(data, hours >= 18)
days$year <- format(days$date, "%Y")
years <- aggregate(mean ~ parameter_code + year, days, mean)
years$mean <- round(years$mean, 1)
print(years, row.names = FALSE)

svg("years.svg", width = 9, height = 4)
boxplot(mean ~ year, subset(days, parameter_code == "NO2"), ylab = "NO2")
invisible(dev.off())
