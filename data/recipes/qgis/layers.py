from qgis.core import QgsProject, QgsVectorLayer

api = "http://localhost:8080/api/v1"

sources = {
    "stations": f"/vsicurl/{api}/bulk/stations.geojson",
    "latest": f"CSV:/vsicurl/{api}/observations/latest.csv?parameter_code=NO2",
}
for name, source in sources.items():
    QgsProject.instance().addMapLayer(QgsVectorLayer(source, name, "ogr"))

query = (
    "SELECT stations.*, CAST(latest.value AS REAL) AS no2, latest.time_start_utc AS time_utc "
    "FROM stations JOIN latest ON latest.station_id = stations.station_id"
)
no2 = QgsVectorLayer(f"?query={query}", "NO2", "virtual")
QgsProject.instance().addMapLayer(no2)
