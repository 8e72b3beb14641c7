import time
import urllib.error
import urllib.request

import pandas as pd

URL = "http://localhost:8080/api/v1/observations/latest.csv"

etag = None
while True:
    request = urllib.request.Request(URL, headers={"If-None-Match": etag} if etag else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            latest = pd.read_csv(
                response, dtype={"station_id": "string"}, parse_dates=["time_start_utc"]
            )
            etag = response.headers["ETag"]
        print("new:", len(latest), "values", flush=True)
    except urllib.error.HTTPError as error:
        print("nothing new" if error.code == 304 else error, flush=True)
    except OSError as error:
        print(error, flush=True)
    time.sleep(600)
