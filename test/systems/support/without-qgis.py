# A module replaces QGIS: it prints the layers of the program.
import runpy, sys, types
core = types.ModuleType("qgis.core")
core.QgsVectorLayer = lambda source, name, provider: print(provider, source)
core.QgsProject = types.SimpleNamespace(instance=lambda: types.SimpleNamespace(addMapLayer=lambda layer: None))
sys.modules.update({"qgis": types.ModuleType("qgis"), "qgis.core": core})
runpy.run_path(sys.argv[1])
