import pandas as pd

URL = "http://localhost:8080/api/v1/daily.csv?station_id=28005002&from=2000-01-01"

data = pd.read_csv(
    URL,
    dtype={"station_id": "string"},
    parse_dates=["date"],
    storage_options={"Accept-Encoding": "gzip"},
)
days = data.dropna(subset=["minimum"])  # without empty days, and without directions
total = days["sum"].fillna(days["mean"] * days["hours"])  # rain has a sum
days = days.assign(year=days["date"].dt.year, total=total)
years = days.groupby(["parameter_code", "unit", "year"])[["total", "hours"]].sum()
years["mean"] = years["total"] / years["hours"]  # of all hours of the year
print(years[["mean", "hours"]].round(1).reset_index().to_string(index=False))
