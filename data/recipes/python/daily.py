import pandas as pd

URL = "http://localhost:8080/api/v1/observations.csv?station_id=28005002&parameter_code=NO2,PM10"

data = pd.read_csv(
    URL,
    dtype={"station_id": "string"},
    parse_dates=["time_start_utc", "time_end_utc"],
    storage_options={"Accept-Encoding": "gzip"},
)
hours = data.pivot(index="time_start_utc", columns="parameter_code", values="value")
days = hours.tz_convert("Europe/Belgrade").resample("1D")
daily = days.mean().where(days.count() >= 18)  # three quarters of a day, or no mean
print(daily.round(1))
