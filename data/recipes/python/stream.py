import json
import urllib.request

URL = "http://localhost:8080/api/v1/observations/stream"

highest = {}
with urllib.request.urlopen(URL, timeout=60) as lines:
    meta = json.loads(next(lines))["meta"]
    for line in lines:
        record = json.loads(line)
        code, value = record["parameter_code"], record["value"]
        if value is not None and (code not in highest or value > highest[code]["value"]):
            highest[code] = record

print(meta["snapshot_id"])
for code, record in sorted(highest.items()):
    print(code, record["value"], record["unit"], record["station_id"], record["time_start_utc"])
