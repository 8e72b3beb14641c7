# Reads an OGC API by OWSLib, and prints what it has read as JSON: the address of the service, then queries for values.
import json
import sys

from owslib.ogcapi.features import Features

service = Features(sys.argv[1])


def pages(collection, limit):
    offset, total = 0, None
    while total is None or offset < total:
        page = service.collection_items(collection, limit=limit, offset=offset)
        offset, total = offset + page["numberReturned"], page["numberMatched"]
        yield page["features"]


# `query_data` of owslib.ogcapi.edr, which OWSLib 0.27 lacks, sends this request.
def query_data(collection, query_type, **parameters):
    return service._request(path=f"collections/{collection}/{query_type}", kwargs=parameters)


print(json.dumps({
    "api": service.api()["openapi"],
    "conformance": service.conformance()["conformsTo"],
    "collections": [one["id"] for one in service.collections()["collections"]],
    "features": service.feature_collections(),
    "collection": service.collection("observations"),
    "item": service.collection_item("latest", sys.argv[3]),
    "near": service.collection_items("stations", bbox=[-3.5, 40.3, -3.3, 40.6])["features"],
    "pages": list(pages("latest", 17)),
    "values": [query_data("observations", kind, **parameters) for kind, parameters in json.loads(sys.argv[2])],
}))
