# Functions replace edr4r: they print the requests of edr4r 0.1, and read the same values as CSV.
library <- function(package) NULL
edr_client <- function(base_url) list(base_url = base_url)
edr_request <- function(client, path, query) {
  query <- c(Filter(Negate(is.null), query), f = "json")
  values <- vapply(query, function(value) paste(value, collapse = ","), "")
  url <- paste0(client$base_url, "/collections/", path, "?",
    paste(names(query), vapply(values, URLencode, "", reserved = TRUE), sep = "=", collapse = "&"))
  cat("GET", url, "\n")
  url
}
edr_location <- function(client, collection_id, location_id, datetime = NULL, parameter_name = NULL) {
  path <- paste0(collection_id, "/locations/", location_id)
  edr_request(client, path, list(datetime = datetime, "parameter-name" = parameter_name))
}
edr_radius <- function(client, collection_id, coords, within, within_units = "km", datetime = NULL, parameter_name = NULL) {
  point <- sprintf("POINT(%s)", paste(formatC(coords, format = "f", digits = 6, drop0trailing = TRUE), collapse = " "))
  edr_request(client, paste0(collection_id, "/radius"), list(coords = point, within = within,
    "within-units" = within_units, datetime = datetime, "parameter-name" = parameter_name))
}
covjson_to_tibble <- function(url) {
  rows <- read.csv(sub("f=json", "f=csv", url), colClasses = c(station_id = "character"))
  data.frame(coverage_id = rows$station_id, parameter = rows$parameter_code, unit = rows$unit, value = rows$value,
    datetime = as.POSIXct(rows$time_start_utc, format = "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"))
}
source(commandArgs(trailingOnly = TRUE))
