library(curl)

url <- "http://localhost:8080/api/v1/observations/latest.csv"

known <- list()
repeat {
  response <- curl_fetch_memory(url, handle_setheaders(new_handle(), .list = known))
  if (response$status_code == 200) {
    known["If-None-Match"] <- parse_headers_list(response$headers)$etag
    text <- rawToChar(response$content)
    latest <- read.csv(text = text, colClasses = c(station_id = "character"))
    cat("new:", nrow(latest), "values\n")
  } else {
    cat(if (response$status_code == 304) "nothing new" else response$status_code, "\n")
  }
  Sys.sleep(600)
}
