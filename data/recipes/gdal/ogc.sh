ogc=http://localhost:8080/ogc
ogrinfo -ro "OAPIF:$ogc"
ogr2ogr -overwrite -oo PAGE_SIZE=1000 air.gpkg "OAPIF:$ogc" stations latest
ogr2ogr -overwrite -oo PAGE_SIZE=1000 near.csv "OAPIF:$ogc" latest \
  -spat -3.5 40.3 -3.3 40.6 -where "parameter_code = 'NO2'" -lco GEOMETRY=AS_XY
