import pandas as pd

URL = "http://localhost:8080/api/v1/observations.csv?station_id=28005002&layout=wide"

hours = pd.read_csv(
    URL, dtype={"station_id": "string"}, index_col="time_start_utc", parse_dates=True
).tz_convert("Europe/Belgrade")
profile = hours.groupby(hours.index.hour)[["NO2", "O3"]].mean()
print(profile.round(1))
