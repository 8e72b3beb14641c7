curl --fail --compressed --output year.csv \
  'http://localhost:8080/api/v1/daily.csv?station_id=28005002&from=2026-01-01&to=2027-01-01'
# Comma, quote, UTF-8, from line 1; three columns of text, one of dates; numbers with a point.
soffice --headless --infilter='CSV:44,34,76,1,1/2/2/2/3/2/4/5,1033' --convert-to xlsx year.csv
