title = Calidad del aire en las estaciones
description = { $weather ->
    [yes] Mediciones horarias de la calidad del aire y del tiempo en estaciones públicas, como datos abiertos: mapa, gráficos, archivos y API.
   *[no] Mediciones horarias de la calidad del aire en estaciones públicas, como datos abiertos: mapa, gráficos, archivos y API.
}
heading = { $component } en las estaciones
unavailable = Sin datos por el momento
unavailable-more = En este momento no se pueden mostrar las mediciones. Vuelva a intentarlo dentro de unos minutos; hasta entonces no tiene que hacer nada.
no-stations = Por el momento, esta red no tiene estaciones públicas.
no-page = No hay ninguna página en esta dirección
no-page-more = Busque una estación o una localidad, o siga por una de estas páginas.
no-archive = Aquí no hay años anteriores
no-archive-more = Este servicio tiene solo los últimos 30 días, sin un archivo de años anteriores. Busque una estación o una localidad, o siga por una de estas páginas.
no-station = No existe esa estación
no-station-more = Esta estación no figura en los datos o no es pública. Busque otra estación o una localidad.
overview = Todas las estaciones, todos los componentes
episode = La semana, estaciones por días
episode-heading = { $component }: la semana, estaciones por días
episode-empty = Por el momento no hay días con valores.
episode-hour = La hora más alta: { $value } en { $station }, { $hour }.
episode-day-mean = La media diaria más alta: { $value } en { $station }, { $day }, entre los días con al menos tres cuartas partes de sus horas.
episode-day-sum = La suma diaria más alta: { $value } en { $station }, { $day }, entre los días con al menos tres cuartas partes de sus horas.
episode-ties = { $count ->
    [one] Otra hora tiene el mismo valor.
    [many] Otras { $count } horas tienen el mismo valor.
   *[other] Otras { $count } horas tienen el mismo valor.
}
episode-day-ties = { $count ->
    [one] Otro día tiene la misma cifra.
    [many] Otros { $count } días tienen la misma cifra.
   *[other] Otros { $count } días tienen la misma cifra.
}
episode-figure = Qué se muestra de cada día
episode-highest = Hora más alta de cada día
episode-mean = Media de cada día
episode-sum = Suma de cada día
episode-note = Debajo de cada cifra, cuándo empieza la hora más alta del día.
episode-week = Semana
years = Años
years-all = Todos los años
years-mean = { $step ->
    [month] La media de todas las horas es { $value }.
   *[day] Su media es { $value }.
}
years-sum = { $step ->
    [month] La suma de todas las horas es { $value }.
   *[day] Su suma es { $value }.
}
years-highest = { $step ->
    [month] Mes más alto: { $value }, { $day }.
   *[day] Día más alto: { $value }, { $day }.
}
years-lowest = { $step ->
    [month] Mes más bajo: { $value }, { $day }.
   *[day] Día más bajo: { $value }, { $day }.
}
years-all-days = { $all ->
    [one] De { $all } día hasta ahora, desde el { $from }, { $days } con al menos tres cuartas partes de sus horas.
    [many] De { $all } días hasta ahora, desde el { $from }, { $days } con al menos tres cuartas partes de sus horas.
   *[other] De { $all } días hasta ahora, desde el { $from }, { $days } con al menos tres cuartas partes de sus horas.
}
years-month-ties = { $count ->
    [one] Otro mes tiene la misma cifra.
    [many] Otros { $count } meses tienen la misma cifra.
   *[other] Otros { $count } meses tienen la misma cifra.
}
years-days = { $all ->
    [one] Hay valores en { $days } de { $all } día de { $year }.
    [many] Hay valores en { $days } de { $all } días de { $year }.
   *[other] Hay valores en { $days } de { $all } días de { $year }.
}
years-days-so-far = { $all ->
    [one] Hay valores en { $days } de { $all } día de { $year } hasta ahora.
    [many] Hay valores en { $days } de { $all } días de { $year } hasta ahora.
   *[other] Hay valores en { $days } de { $all } días de { $year } hasta ahora.
}
years-other-unit = { $days ->
    [one] { $days } día más está en { $unit }, y solo en el fichero.
    [many] { $days } días más están en { $unit }, y solo en el fichero.
   *[other] { $days } días más están en { $unit }, y solo en el fichero.
}
years-other-months = { $count ->
    [one] { $count } mes más está en { $unit }, y solo en el fichero.
    [many] { $count } meses más están en { $unit }, y solo en el fichero.
   *[other] { $count } meses más están en { $unit }, y solo en el fichero.
}
years-among = { $step ->
    [month] El más alto y el más bajo son de los meses con al menos tres cuartas partes de sus horas.
   *[day] El más alto y el más bajo son de los días con al menos tres cuartas partes de sus horas.
}
years-none = { $step ->
    [month] El archivo no tiene aquí valores de { $component }. Los años del archivo:
   *[day] El archivo no tiene aquí valores de { $component } en { $year }. Los años del archivo:
}
years-note = Los días son los del reloj de { $zone }.
years-ended = Estaciones que ya no miden
years-line-mean = { $step ->
    [month] Media de cada mes.
   *[day] Media de cada día, y la banda de su hora más baja a la más alta.
}
years-line-sum = { $step ->
    [month] Suma de cada mes.
   *[day] Suma de cada día.
}
years-calendar = { $step ->
    [month] todos los años, mes a mes
   *[day] { $year }, día a día
}
years-caption = { $step ->
    [month] Una fila por cada año, una columna por cada mes
   *[day] Una fila por cada día, una columna por cada mes
}
years-rows-mean = { $step ->
    [month] Mes a mes: media, mínimo, máximo
   *[day] Día a día: media, mínimo, máximo
}
years-rows-sum = { $step ->
    [month] Mes a mes: suma, mínimo, máximo
   *[day] Día a día: suma, mínimo, máximo
}
years-step = { $step ->
    [month] Mes
   *[day] Día
}
years-station = Los valores más recientes de esta estación
episode-part = { $hours ->
    [one] { $hours } hora
    [many] { $hours } horas
   *[other] { $hours } horas
}
measured-until = Medido hasta
published = publicado
just-now = hace menos de una hora
month-ago = hace más de un mes
old = Estos datos no son actuales: se publicaron { $age }.
demonstration = Demostración, datos no actuales: mediciones del período { $period }
preliminary = Datos provisionales
hourly = medias horarias
hourly-sums = sumas horarias
zone = Zona horaria: { $zone }

component-PM10 = Partículas de menos de 10{"\u00A0"}µm
component-PM2-5 = Partículas de menos de 2,5{"\u00A0"}µm
component-PM1 = Partículas de menos de 1{"\u00A0"}µm
component-NO2 = Dióxido de nitrógeno
component-NO = Monóxido de nitrógeno
component-NOX = Óxidos de nitrógeno
component-SO2 = Dióxido de azufre
component-O3 = Ozono
component-CO = Monóxido de carbono
component-H2S = Sulfuro de hidrógeno
component-NH3 = Amoníaco
component-C6H6 = Benceno, C₆H₆
component-C6H6-label = Benceno
component-BC = Carbono negro (hollín)
component-BC-label = Carbono negro
component-TEMP = Temperatura del aire
component-TEMP-label = Temperatura
component-RH = Humedad relativa del aire
component-RH-label = Humedad
component-PRES = Presión atmosférica
component-PRES-label = Presión
component-WS = Velocidad del viento
component-WS-label = Viento
component-WD = De dónde viene el viento: 0° norte, 90° este
component-WD-label = Dirección del viento
component-SR = Radiación solar
component-SR-label = Radiación solar
component-RAIN = Precipitación
component-RAIN-label = Lluvia

pick-component = Qué se mide
pick-window = Período
window-1h = 1 hora
window-1d = 24 horas
window-7d = 7 días
window-14d = 14 días
window-30d = 30 días
period-fixed = Horas elegidas
period-gone = Las horas de este enlace ya no están aquí: esta página tiene los últimos { $window }.
period-later = Las horas de este enlace aún no están publicadas.
period-cut = Las primeras horas de este enlace ya no están aquí: esta página tiene los últimos { $window }.
period-archive = Las horas anteriores están en el archivo.
period-open = Las últimas horas de este enlace aún no están publicadas.
highest = Máximo
median = Mediana
lowest = Mínimo
mean = Media
sum = Suma
more-hours = y { $count ->
    [one] { $count } hora más
    [many] { $count } horas más
   *[other] { $count } horas más
}
more-stations = y { $count ->
    [one] { $count } estación más
    [many] { $count } estaciones más
   *[other] { $count } estaciones más
}
coverage = { $hours ->
    [one] { $hours } hora
    [many] { $hours } horas
   *[other] { $hours } horas
} con valor, { $days ->
    [one] { $days } día
    [many] { $days } días
   *[other] { $days } días
}
newest-hour = Hora más reciente:
compared = { $all ->
    [one] { $count } de { $all } estación
    [many] { $count } de { $all } estaciones
   *[other] { $count } de { $all } estaciones
}
late = con retraso
late-meaning = con retraso: de una hora anterior
show-wind = Mostrar el viento
hide-wind = Ocultar el viento
wind-meaning = hacia dónde sopla el viento
map = Mapa de las estaciones
map-hour = Hora en el mapa
map-play = Reproducir estas horas
map-day = Día en el mapa
map-last-day = Últimas 24 horas
hour-gone = La hora de este enlace ya no está aquí: esta página tiene los últimos { $window }.
hour-later = La hora de este enlace aún no está publicada.
on-map = En el mapa: { $hour }
show = Mostrar
new-values = Se han publicado valores nuevos.
show-new = Mostrarlos
chosen-hour = Esta hora:
skip-map = Saltar el mapa: la tabla de estaciones dice lo mismo
zoom-in = Acercar
zoom-out = Alejar
zoom-reset = Toda la red
no-positions = No se conoce la posición de ninguna estación, por lo que no hay mapa.
no-value = sin valor actual
legend = Colores
scale-note = { $source ->
    [none] Los colores ordenan los valores de menor a mayor; no juzgan nada.
   *[own] Colores: { $source }
}
map-credit = Mapa: Natural Earth, GeoNames
map-limited = { $shown ->
    [one] El mapa muestra { $shown } de { $all } estaciones, la del valor más alto. Use la búsqueda para ver otras.
    [many] El mapa muestra { $shown } de { $all } estaciones, las de valores más altos. Use la búsqueda para ver otras.
   *[other] El mapa muestra { $shown } de { $all } estaciones, las de valores más altos. Use la búsqueda para ver otras.
}
list-limited = { $shown ->
    [one] Se muestra solo { $shown } estación. Use la búsqueda para encontrar las demás.
    [many] Se muestran las { $shown } primeras. Use la búsqueda para encontrar las demás.
   *[other] Se muestran las { $shown } primeras. Use la búsqueda para encontrar las demás.
}
stations = Estaciones
search = Buscar estaciones
search-hint = Nombre o localidad
find = Buscar
clear = Todas las estaciones
found = { $all ->
    [one] { $shown } de { $all } estación
    [many] { $shown } de { $all } estaciones
   *[other] { $shown } de { $all } estaciones
}
unknown-station = La estación de este enlace no está en estos datos, o ya no. Busque otra por nombre o localidad.
nothing-found = Ningún nombre, localidad, código ni dirección empieza así.
not-measuring = { $count ->
    [one] { $count } estación no mide { $component }
    [many] { $count } estaciones no miden { $component }
   *[other] { $count } estaciones no miden { $component }
}
station-not-measuring = Esta estación no mide: { $component }.
near = Las estaciones más cercanas a { $place }
near-point = Las estaciones más cercanas a este punto del mapa
near-me = Las estaciones más cercanas a usted
use-location = Usar mi ubicación
location-failed = Este dispositivo no dice dónde está.
trend-up = más que la hora anterior
trend-down = menos que la hora anterior
trend-same = igual que la hora anterior
sort-by = Ordenar por
sort-name = nombre
sort-value = valor, de mayor a menor
sort-time = hora, la más reciente primero
column-station = Estación
column-day = 24 horas
column-value = Valor
column-time = Hora desde
station-type-traffic = Tráfico
station-type-urban = Urbana
station-type-background = De fondo
station-type-industrial = Industrial
station-type-rural = Rural
station-type-other = Otra
inactive = Fuera de servicio
close = Cerrar
change = { $change } desde la hora anterior.
change-none = Igual que la hora anterior.
change-rising = Sube desde hace { $hours ->
    [one] { $hours } hora
    [many] { $hours } horas
   *[other] { $hours } horas
}: { $change } desde la hora anterior.
change-falling = Baja desde hace { $hours ->
    [one] { $hours } hora
    [many] { $hours } horas
   *[other] { $hours } horas
}: { $change } desde la hora anterior.
rank-highest = El más alto de { $count ->
    [one] { $count } estación
    [many] { $count } estaciones
   *[other] { $count } estaciones
}.
rank-lowest = El más bajo de { $count ->
    [one] { $count } estación
    [many] { $count } estaciones
   *[other] { $count } estaciones
}.
rank-same = Igual en todas: { $count ->
    [one] { $count } estación
    [many] { $count } estaciones
   *[other] { $count } estaciones
}.
rank-shared = Igual en { $count ->
    [one] otra estación
    [many] otras { $count } estaciones
   *[other] otras { $count } estaciones
}.
rank-highest-place = { $ordinal ->
   *[other] { $place }.º
} más alto de { $count ->
    [one] { $count } estación
    [many] { $count } estaciones
   *[other] { $count } estaciones
}.
rank-lowest-place = { $ordinal ->
   *[other] { $place }.º
} más bajo de { $count ->
    [one] { $count } estación
    [many] { $count } estaciones
   *[other] { $count } estaciones
}.
usual-now = { $side ->
    [higher] Más alto de lo habitual a esta hora: más bajo en { $lower } de { $days } días.
    [lower] Más bajo de lo habitual a esta hora: más alto en { $higher } de { $days } días.
    [same] Habitual a esta hora: igual en { $same } de { $days } días.
   *[usual] Habitual a esta hora: más bajo en { $lower } de { $days } días, más alto en { $higher }.
}
usual-range = Habitual de { $hour }: de { $low } a { $high }.
usual-band = habitual a esa hora del reloj: 8 de cada 10 valores ({ $coverage })
days = Día a día: media, mínimo y máximo
days-sums = Día a día: suma, mínimo y máximo
days-more = Días en hora local. La última columna cuenta las horas con valor.
days-hours = Horas
rose = Media según la dirección del viento
rose-wind = De dónde vino el viento
rose-most = La media más alta, con viento del { $point }: { $mean }.
rose-wind-most = Sobre todo del { $point }: { $percent } de las horas.
rose-scale = Círculo exterior: { $outer }, interior: { $inner }.
rose-from = Viento del
rose-share = Parte de las horas
files = Archivos, API y compartir
all-components = Todo lo que se mide aquí
chart-label = { $component }, { $station }, { $window }
chart-help = Los valores se leen con las teclas de flecha, Inicio y Fin. Las horas se eligen con Mayús y las mismas teclas, y después Intro, o arrastrando con el ratón.
no-components = Por el momento, nada de lo que mide esta estación es público.
no-points = No hay valores en este período. Elija uno más largo.
no-values = No hay valores en este período.
gaps = { $hours ->
    [one] { $missing } de { $hours } hora sin valor
    [many] { $missing } de { $hours } horas sin valor
   *[other] { $missing } de { $hours } horas sin valor
}
table = Valores en una tabla
table-time = Hora desde
download = Descargar
download-label = { $format }, { $window }
workbook = Libro: todo lo que se mide aquí, por horas
workbook-values = Valores
workbook-about = Sobre estos valores
workbook-chart = Gráfico
workbook-code = Código
workbook-municipality = Municipio
workbook-address = Dirección
workbook-position = Latitud, longitud
workbook-times = Horas
workbook-times-more = Cada hora por su comienzo, como la muestra el reloj de { $zone }; al lado, su diferencia con UTC.
workbook-offset = Desde UTC
workbook-source = Fuente
workbook-hours = { $hours ->
    [one] { $count } de { $hours } hora tiene valor
    [many] { $count } de { $hours } horas tienen valor
   *[other] { $count } de { $hours } horas tienen valor
}
workbook-compared = Libro: estas líneas, por horas
wide-csv = CSV, una columna por componente
api-call = Los mismos datos desde la API
copy = Copiar enlace
copied = Copiado
compass-0 = N
compass-45 = NE
compass-90 = E
compass-135 = SE
compass-180 = S
compass-225 = SO
compass-270 = O
compass-315 = NO
prevailing = Sobre todo del
prevailing-share = { $point }, { $percent }{"\u00A0"}% de las horas
compare-with = Comparar con
compare-here = También aquí, en { $unit }
compare-other = Otra estación
compare-full = Se comparan seis como máximo. Elija otra vez una de estas para quitarla y después otra.
compare = Comparar
compare-end = Dejar de comparar
calendar = { $window }, hora a hora
calendar-caption = Una fila por cada día, una columna por cada hora del reloj de 0 a 23 ({ $zone })
calendar-day = Día
calendar-gap = sin valor
calendar-hint = Toque una hora o use las flechas
share = Compartir, citar e insertar
share-archived = Este enlace es fijo: siempre muestra estas horas, también cuando, después de { $window }, solo estén en el archivo.
share-stays = Este enlace no cambia: muestra siempre estas horas, mientras estén entre los últimos { $window }.
share-moves = Este enlace avanza: muestra siempre los valores más recientes ({ $window }).
share-stay = Un enlace que se queda en estas horas
share-move = Un enlace que avanza con los valores más recientes
share-page = Enlace a esta vista
share-image = Línea para su propia página
share-citation = Cita
copy-text = Copiar
download-picture = Descargar como SVG
download-png = Descargar como PNG
picture-period = { $window } hasta { $until } ({ $zone })
picture-old = Datos no actuales
picture-credit = Fuente: { $operator }, datos horarios provisionales, instantánea de datos del { $snapshot }. { $license }
picture-license = Datos abiertos, equivalente a CC BY
picture-band = habitual a esa hora
picture-missing = Faltan algunas de estas horas

about = Qué significan estas palabras
about-elevation = { $metres } m sobre el mar: más arriba el aire es más fino y a menudo más limpio.
facts-elevation = { $metres } m sobre el mar
station-type-traffic-about = Tráfico: junto a una calle con mucho tráfico; mide lo que respiran quienes pasan y viven allí.
station-type-urban-about = Urbana: entre las calles y casas de una ciudad.
station-type-background-about = Fondo: lejos de fuentes concretas como una calle o una chimenea; representa un entorno más amplio.
station-type-industrial-about = Industrial: cerca de instalaciones cuyas emisiones le llegan.
station-type-rural-about = Rural: fuera de las ciudades.
station-type-other-about = Otro: no consta cómo es su entorno.
component-PM10-about = Polvo tan fino que se respira: de carreteras, calefacciones, obras, el suelo y el desierto.
component-PM2-5-about = La parte más fina del polvo, que llega hasta el fondo de los pulmones: sobre todo de calefacciones y motores, y formada por gases del aire.
component-PM1-about = La parte más fina de todas, casi siempre de combustiones.
component-NO2-about = Un gas de motores y calefacciones; más alto junto a las calles en las horas punta.
component-NO-about = Lo primero que emiten los motores; en el aire se convierte en dióxido de nitrógeno.
component-NOX-about = Monóxido y dióxido de nitrógeno juntos.
component-SO2-about = Un gas de quemar carbón y petróleo, y de algunas industrias.
component-O3-about = Un gas que el sol forma a partir de otros: más alto en las tardes de verano y más bajo junto a las calles.
component-CO-about = Un gas de combustiones incompletas, de motores y estufas.
component-H2S-about = Un gas que huele a huevos podridos, de residuos, industrias y la naturaleza.
component-NH3-about = Un gas de la agricultura: estiércol y abonos.
component-C6H6-about = Un vapor de la gasolina y de quemar leña.
component-BC-about = El hollín del polvo: de motores diésel y de quemar leña.
component-TEMP-about = Del aire a la sombra, a unos dos metros del suelo.
component-RH-about = Cuánto vapor de agua tiene el aire de lo que podría tener a su temperatura.
component-PRES-about = A la altura de la estación: más baja en la montaña.
component-WS-about = La media de la hora; las rachas son más fuertes.
component-WD-about = De dónde viene el viento; una flecha muestra hacia dónde sopla.
component-SR-about = La energía de la luz del sol en el suelo: de noche no hay.
component-RAIN-about = Lluvia y nieve derretida de la hora: 1 mm es un litro por metro cuadrado.
