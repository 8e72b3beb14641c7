import json
import urllib.request

import pandas as pd

BULK = "http://localhost:8080/api/v1/bulk"

with urllib.request.urlopen(BULK) as index:
    digests = {file["name"]: file["sha256"] for file in json.load(index)["resources"]}


def read(name, columns):
    return pd.read_csv(
        f"{BULK}/{digests[name]}/{name}",  # just these bytes
        usecols=columns,
        dtype={"station_id": "string"},
        storage_options={"Accept-Encoding": "gzip"},
    )


stations = read("stations.csv", ["station_id", "station_name"])
hours = read(
    "observations_hourly_preliminary_last30days.csv", ["station_id", "parameter_code", "value"]
)
no2 = hours[hours["parameter_code"] == "NO2"].groupby("station_id")["value"].agg(["mean", "count"])
print(stations.merge(no2, on="station_id").sort_values("mean").round(1).to_string(index=False))
