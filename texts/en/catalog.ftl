title = Catalogue of open air-quality data
description = { $weather ->
    [yes] High-value datasets on air quality and meteorological parameters: monitoring stations, measured parameters and hourly observations of the last 30 days.
   *[no] High-value datasets on air quality: monitoring stations, measured parameters and hourly observations of the last 30 days.
}
dataset-stations = Air-quality monitoring stations
dataset-parameters = Parameters of the air-quality network
dataset-observations = Hourly air-quality observations of the last 30 days, preliminary data
service = Air-quality data API
service-description = Public API without registration or access keys: monitoring stations, measured parameters, hourly observations and files for download.
distribution-api = API
distribution-api-description = Current records as JSON, over the API.
distribution-csv = CSV
distribution-csv-description = All records in one CSV file: UTF-8, values separated by commas, column names in the first row.
distribution-geojson = GeoJSON
distribution-geojson-description = All stations as GeoJSON points (WGS84, longitude before latitude).
distribution-json = JSON
distribution-json-description = All records as one JSON array.
distribution-parquet = Parquet
distribution-parquet-description = All records in one Apache Parquet file with typed columns, ordered by station, parameter and time.
distribution-archive = archive
distribution-archive-description = Hourly values beyond the last 30 days: a list of Parquet files, one for each month.
distribution-archive-daily = daily values
distribution-archive-daily-description = Values of days as one CSV file, also beyond the last 30 days.
keywords = air quality; air pollution; monitoring stations; pollutants; environment; high-value datasets
keywords-weather = meteorology
license = Open data under the Electronic Administration Act (CC BY-equivalent)
license-page = Licence
dictionary = Data dictionary
document-documentation = API documentation
document-terms = Terms of use
document-qos = Quality of service
document-dataset = About the dataset
