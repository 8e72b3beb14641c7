# Functions replace openair: they check what openair demands of a table, and draw nothing.
library <- function(package) NULL
windRose <- polarPlot <- timeVariation <- function(mydata, pollutant = "ws", local.tz = "UTC") {
  stopifnot(
    inherits(mydata$date, "POSIXct"), !anyNA(mydata$date), attr(mydata$date, "tzone") == "UTC",
    is.numeric(mydata$ws), mydata$ws >= 0 | is.na(mydata$ws),
    is.numeric(mydata$wd), (mydata$wd >= 0 & mydata$wd <= 360) | is.na(mydata$wd),
    pollutant %in% names(mydata), local.tz %in% OlsonNames()
  )
}
source(commandArgs(trailingOnly = TRUE))
cat(unique(air$site), format(range(air$date), "%FT%TZ"), sep = "\n")
cat(mapply(sum, air[c("ws", "wd", "NO2")], na.rm = TRUE), sep = "\n")
