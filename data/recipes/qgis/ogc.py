from qgis.core import QgsProject, QgsVectorLayer

ogc = "http://localhost:8080/ogc"

for name in ["stations", "latest"]:
    layer = QgsVectorLayer(f"url='{ogc}' typename='{name}' pageSize='1000'", name, "OAPIF")
    if name == "latest":
        layer.setSubsetString("\"parameter_code\" = 'NO2'")
    QgsProject.instance().addMapLayer(layer)
