contents = En esta página
changed = Última modificación del texto
without-snapshot = En este momento los datos no están disponibles, por lo que esta página no muestra el operador de la red ni las cifras del conjunto de datos. El texto sigue siendo válido.
files = El conjunto de datos completo, según la instantánea de datos activa
files-name = Archivo
files-contents = Contenido
files-format = Formato
files-size = Tamaño
files-readme = Notas y diccionario de datos.
unknown-operator = [operador de la red]
unknown-time = [AAAA-MM-DD HH:MM UTC]

# Con qué frecuencia llegan los datos: códigos de la lista de frecuencias de la UE.
refresh-UPDATE_CONT = de forma continua
refresh-CONT = de forma continua
refresh-10MIN = cada diez minutos
refresh-15MIN = cada cuarto de hora
refresh-30MIN = cada media hora
refresh-HOURLY = cada hora
refresh-BIHOURLY = cada dos horas
refresh-TRIHOURLY = cada tres horas
refresh-12HRS = cada doce horas
refresh-DAILY = a diario
refresh-DAILY_2 = dos veces al día
refresh-WEEKLY = cada semana
refresh-MONTHLY = cada mes
refresh-IRREG = sin periodicidad fija
