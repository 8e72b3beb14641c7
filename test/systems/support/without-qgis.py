# A module replaces QGIS: it prints the layers of the program.
import runpy, sys, types
class Layer:
    def __init__(self, source, name, provider):
        print(provider, source)
    def setSubsetString(self, condition):
        print("where", condition)
core = types.ModuleType("qgis.core")
core.QgsVectorLayer = Layer
core.QgsProject = types.SimpleNamespace(instance=lambda: types.SimpleNamespace(addMapLayer=lambda layer: None))
sys.modules.update({"qgis": types.ModuleType("qgis"), "qgis.core": core})
runpy.run_path(sys.argv[1])
