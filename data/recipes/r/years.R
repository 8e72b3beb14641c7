url <- "http://localhost:8080/api/v1/daily.csv?station_id=28005002&from=2000-01-01"

data <- read.csv(url, colClasses = c(station_id = "character", date = "Date"))
days <- subset(data, !is.na(minimum)) # without empty days, and without directions
days$year <- format(days$date, "%Y")
days$total <- ifelse(is.na(days$sum), days$mean * days$hours, days$sum) # rain has a sum
years <- aggregate(cbind(total, hours) ~ parameter_code + unit + year, days, sum)
years$mean <- round(years$total / years$hours, 1) # of all hours of the year
print(years[c("parameter_code", "unit", "year", "mean", "hours")], row.names = FALSE)

svg("years.svg", width = 9, height = 4)
boxplot(mean ~ year, subset(days, parameter_code == "NO2"), ylab = "NO2")
invisible(dev.off())
