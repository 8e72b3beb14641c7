import pandas as pd

URL = "http://localhost:8080/api/v1/archive/daily.csv?station_id=28005002"

data = pd.read_csv(
    URL,
    dtype={"station_id": "string"},
    parse_dates=["date"],
    storage_options={"Accept-Encoding": "gzip"},
)
days = data[data["hours"] >= 18]  # three quarters of a day
year = days["date"].dt.year.rename("year")
years = days.groupby(["parameter_code", year])["mean"].agg(["mean", "count"])
print(years.round(1).reset_index().to_string(index=False))
