import polars as pl

API = "http://localhost:8080/api/v1"

hours = pl.read_csv(
    f"{API}/observations.csv?parameter_code=NO2",
    columns=["station_id", "time_start_utc", "value"],
    schema_overrides={"station_id": pl.String, "value": pl.Float64},
)
stations = pl.read_csv(
    f"{API}/bulk/stations.csv",
    columns=["station_id", "station_name"],
    schema_overrides={"station_id": pl.String, "station_name": pl.String},
)
time = pl.col("time_start_utc").str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_zone="UTC")
weekend = time.dt.convert_time_zone("Europe/Belgrade").dt.weekday() > 5
means = hours.group_by("station_id").agg(
    weekdays=pl.col("value").filter(~weekend).mean(),
    weekends=pl.col("value").filter(weekend).mean(),
    hours=pl.col("value").count(),
)
table = stations.join(means, on="station_id").sort("weekdays", descending=True)
with pl.Config(tbl_rows=-1, float_precision=1):
    print(table)
