title = Catálogo de datos abiertos de calidad del aire
description = { $weather ->
    [yes] Conjuntos de datos de alto valor sobre calidad del aire y parámetros meteorológicos: estaciones de medición, parámetros medidos y observaciones horarias de los últimos 30 días.
   *[no] Conjuntos de datos de alto valor sobre calidad del aire: estaciones de medición, parámetros medidos y observaciones horarias de los últimos 30 días.
}
dataset-stations = Estaciones de medición de la calidad del aire
dataset-parameters = Parámetros de la red de calidad del aire
dataset-observations = Observaciones horarias de calidad del aire de los últimos 30 días, datos provisionales
service = API de datos de calidad del aire
service-description = API pública, sin registro ni claves de acceso: estaciones de medición, parámetros medidos, observaciones horarias y archivos para descargar.
distribution-api = API
distribution-api-description = Registros actuales en JSON, a través de la API.
distribution-csv = CSV
distribution-csv-description = Todos los registros en un archivo CSV: UTF-8, valores separados por comas, nombres de las columnas en la primera fila.
distribution-geojson = GeoJSON
distribution-geojson-description = Todas las estaciones como puntos GeoJSON (WGS84, la longitud antes que la latitud).
distribution-json = JSON
distribution-json-description = Todos los registros como una matriz JSON.
distribution-parquet = Parquet
distribution-parquet-description = Todos los registros en un archivo Apache Parquet con columnas tipadas, ordenados por estación, parámetro y hora.
distribution-archive = archivo histórico
distribution-archive-description = Valores horarios anteriores a los últimos 30 días: una lista de archivos Parquet, uno por mes.
distribution-archive-daily = valores diarios
distribution-archive-daily-description = Valores por día en un archivo CSV, también anteriores a los últimos 30 días.
keywords = calidad del aire; contaminación atmosférica; estaciones de medición; contaminantes; medio ambiente; conjuntos de datos de alto valor
keywords-weather = meteorología
license = Datos abiertos conforme a la Ley de Administración Electrónica (equivalente a CC BY)
license-page = Licencia
dictionary = Diccionario de datos
document-documentation = Documentación de la API
document-terms = Condiciones de uso
document-qos = Calidad del servicio
document-dataset = Acerca del conjunto de datos
