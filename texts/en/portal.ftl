title = Air quality at the stations
description = { $weather ->
    [yes] Hourly measurements of air quality and weather at public stations, as open data: map, charts, files and API.
   *[no] Hourly measurements of air quality at public stations, as open data: map, charts, files and API.
}
heading = { $component } at the stations
unavailable = No data at the moment
unavailable-more = The measurements cannot be shown right now. Please try again in a few minutes; this page needs nothing from you until then.
no-stations = This network has no public stations at the moment.
no-page = There is no page at this address
no-page-more = Search for a station or a town, or go on with one of these pages.
no-archive = There are no earlier years here
no-archive-more = This service has the last 30 days only, and no archive of earlier years. Search for a station or a town, or go on with one of these pages.
no-station = There is no such station
no-station-more = This station is not in the data, or is not public. Search for another station or for a town.
overview = Every station, every component
episode = The week, station by day
episode-heading = { $component }: the week, station by day
episode-empty = There are no days of values to show at the moment.
episode-hour = The highest hour: { $value } at { $station }, { $hour }.
episode-day-mean = The highest mean of a day: { $value } at { $station }, { $day }, among days with three quarters of their hours or more.
episode-day-sum = The largest sum of a day: { $value } at { $station }, { $day }, among days with three quarters of their hours or more.
episode-ties = { $count ->
    [one] { $count } other hour has the same value.
   *[other] { $count } other hours have the same value.
}
episode-day-ties = { $count ->
    [one] { $count } other day has the same figure.
   *[other] { $count } other days have the same figure.
}
episode-figure = Figure of each day
episode-highest = Highest hour of each day
episode-mean = Mean of each day
episode-sum = Sum of each day
episode-note = Below each figure, when the highest hour of the day begins.
episode-week = Week
years = Years
years-all = All years
years-mean = { $step ->
    [month] The mean of all hours is { $value }.
   *[day] Their mean is { $value }.
}
years-sum = { $step ->
    [month] The sum of all hours is { $value }.
   *[day] Their sum is { $value }.
}
years-highest = { $step ->
    [month] Highest month: { $value }, { $day }.
   *[day] Highest day: { $value }, { $day }.
}
years-lowest = { $step ->
    [month] Lowest month: { $value }, { $day }.
   *[day] Lowest day: { $value }, { $day }.
}
years-all-days = { $all ->
    [one] { $days } of { $all } day so far, since { $from }, has three quarters of its hours or more.
   *[other] { $days } of { $all } days so far, since { $from }, have three quarters of their hours or more.
}
years-month-ties = { $count ->
    [one] { $count } other month has the same figure.
   *[other] { $count } other months have the same figure.
}
years-days = { $all ->
    [one] Values on { $days } of { $all } day of { $year }.
   *[other] Values on { $days } of { $all } days of { $year }.
}
years-days-so-far = { $all ->
    [one] Values on { $days } of { $all } day of { $year } so far.
   *[other] Values on { $days } of { $all } days of { $year } so far.
}
years-other-unit = { $days ->
    [one] { $days } other day is in { $unit }, and only in the file.
   *[other] { $days } other days are in { $unit }, and only in the file.
}
years-other-months = { $count ->
    [one] { $count } other month is in { $unit }, and only in the file.
   *[other] { $count } other months are in { $unit }, and only in the file.
}
years-among = { $step ->
    [month] Highest and lowest are among months with three quarters of their hours or more.
   *[day] Highest and lowest are among days with three quarters of their hours or more.
}
years-none = { $step ->
    [month] The archive has no values of { $component } here. The years of the archive:
   *[day] The archive has no values of { $component } here in { $year }. The years of the archive:
}
years-note = Days are those of the clock of { $zone }.
years-ended = Stations that have ended
years-line-mean = { $step ->
    [month] Mean of each month.
   *[day] Mean of each day, and the band from its lowest to its highest hour.
}
years-line-sum = { $step ->
    [month] Sum of each month.
   *[day] Sum of each day.
}
years-calendar = { $step ->
    [month] all years, month by month
   *[day] { $year }, day by day
}
years-caption = { $step ->
    [month] A row for each year, a column for each month
   *[day] A row for each day, a column for each month
}
years-rows-mean = { $step ->
    [month] Month by month: mean, lowest, highest
   *[day] Day by day: mean, lowest, highest
}
years-rows-sum = { $step ->
    [month] Month by month: sum, lowest, highest
   *[day] Day by day: sum, lowest, highest
}
years-step = { $step ->
    [month] Month
   *[day] Day
}
years-station = The newest values of this station
episode-part = { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}
measured-until = Measured until
published = published
just-now = less than an hour ago
month-ago = more than a month ago
old = These data are not current: they were published { $age }.
demonstration = Demonstration, not current data: measurements of { $period }
preliminary = Preliminary data
hourly = hourly means
hourly-sums = hourly sums
zone = Times: { $zone }

component-PM10 = Particles smaller than 10{"\u00A0"}µm
component-PM2-5 = Particles smaller than 2.5{"\u00A0"}µm
component-PM1 = Particles smaller than 1{"\u00A0"}µm
component-NO2 = Nitrogen dioxide
component-NO = Nitrogen monoxide
component-NOX = Nitrogen oxides
component-SO2 = Sulphur dioxide
component-O3 = Ozone
component-CO = Carbon monoxide
component-H2S = Hydrogen sulphide
component-NH3 = Ammonia
component-C6H6 = Benzene, C₆H₆
component-C6H6-label = Benzene
component-BC = Black carbon (soot)
component-BC-label = Black carbon
component-TEMP = Temperature of the air
component-TEMP-label = Temperature
component-RH = Relative humidity of the air
component-RH-label = Humidity
component-PRES = Air pressure
component-PRES-label = Pressure
component-WS = Wind speed
component-WS-label = Wind
component-WD = Where the wind comes from: 0° north, 90° east
component-WD-label = Wind direction
component-SR = Solar radiation
component-SR-label = Solar radiation
component-RAIN = Precipitation
component-RAIN-label = Rain

pick-component = What is measured
pick-window = Period
window-1h = 1 hour
window-1d = 24 hours
window-7d = 7 days
window-14d = 14 days
window-30d = 30 days
period-fixed = Chosen hours
period-gone = The hours of this link are no longer here: this page has the last { $window }.
period-later = The hours of this link are not published yet.
period-cut = Earlier hours of this link are no longer here: this page has the last { $window }.
period-archive = Earlier hours are in the archive.
period-open = Later hours of this link are not published yet.
highest = Highest
median = Median
lowest = Lowest
mean = Mean
sum = Sum
more-hours = and { $count ->
    [one] { $count } more hour
   *[other] { $count } more hours
}
more-stations = and { $count ->
    [one] { $count } more station
   *[other] { $count } more stations
}
coverage = { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
} with a value, { $days ->
    [one] { $days } day
   *[other] { $days } days
}
newest-hour = Newest hour:
compared = { $all ->
    [one] { $count } of { $all } station
   *[other] { $count } of { $all } stations
}
late = late
late-meaning = late: of an earlier hour
show-wind = Show the wind
hide-wind = Hide the wind
wind-meaning = where the wind blows
map = Map of the stations
map-hour = Hour on the map
map-play = Play these hours
map-day = Day on the map
map-last-day = Last 24 hours
hour-gone = The hour of this link is no longer here: this page has the last { $window }.
hour-later = The hour of this link is not published yet.
on-map = On the map: { $hour }
show = Show
new-values = New values have been published.
show-new = Show them
chosen-hour = This hour:
skip-map = Skip the map: the table of stations has the same values
zoom-in = Zoom in
zoom-out = Zoom out
zoom-reset = Whole network
no-positions = No positions of stations are known, so there is no map.
no-value = no current value
legend = Colours
scale-note = { $source ->
    [none] The colours order values from low to high; they judge nothing.
   *[own] Colours: { $source }
}
map-credit = Map: Natural Earth, GeoNames
map-limited = The map shows { $shown } of { $all } stations, those with the highest values. Search to see others.
list-limited = The first { $shown } are listed. Search to find the others.
stations = Stations
search = Search stations
search-hint = Name or town
find = Search
clear = All stations
found = { $all ->
    [one] { $shown } of { $all } station
   *[other] { $shown } of { $all } stations
}
unknown-station = The station of this link is not, or no longer, in these data. Search for another one by name or town.
nothing-found = No station has a name, town, code or address that begins like that.
not-measuring = { $count ->
    [one] { $count } station does not measure { $component }
   *[other] { $count } stations do not measure { $component }
}
station-not-measuring = This station does not measure { $component }.
near = The stations nearest to { $place }
near-point = The stations nearest to this point of the map
near-me = The stations nearest to you
use-location = Use my location
location-failed = This device does not share its location.
trend-up = more than the hour before
trend-down = less than the hour before
trend-same = the same as the hour before
sort-by = Sort by
sort-name = name
sort-value = value, highest first
sort-time = time, newest first
column-station = Station
column-day = 24 hours
column-value = Value
column-time = Hour from
station-type-traffic = Traffic
station-type-urban = Urban
station-type-background = Background
station-type-industrial = Industrial
station-type-rural = Rural
station-type-other = Other
inactive = Not in operation
close = Close
change = { $change } since the hour before.
change-none = The same as the hour before.
change-rising = Rising for { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}: { $change } since the hour before.
change-falling = Falling for { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}: { $change } since the hour before.
rank-highest = Highest of { $count ->
    [one] { $count } station
   *[other] { $count } stations
}.
rank-lowest = Lowest of { $count ->
    [one] { $count } station
   *[other] { $count } stations
}.
rank-same = The same at all { $count ->
    [one] { $count } station
   *[other] { $count } stations
}.
rank-shared = The same at { $count ->
    [one] { $count } other station
   *[other] { $count } other stations
}.
rank-highest-place = { $ordinal ->
    [one] { $place }st
    [two] { $place }nd
    [few] { $place }rd
   *[other] { $place }th
} highest of { $count ->
    [one] { $count } station
   *[other] { $count } stations
}.
rank-lowest-place = { $ordinal ->
    [one] { $place }st
    [two] { $place }nd
    [few] { $place }rd
   *[other] { $place }th
} lowest of { $count ->
    [one] { $count } station
   *[other] { $count } stations
}.
usual-now = { $side ->
    [higher] Higher than usual at this hour: { $lower } of { $days } days had less.
    [lower] Lower than usual at this hour: { $higher } of { $days } days had more.
    [same] Usual for this hour: { $same } of { $days } days had the same.
   *[usual] Usual for this hour: { $lower } of { $days } days had less, { $higher } had more.
}
usual-range = Usual at { $hour }: { $low } to { $high }.
usual-band = usual at this hour of the clock: 8 of 10 values ({ $coverage })
days = Day by day: mean, lowest, highest
days-sums = Day by day: sum, lowest, highest
days-more = Days in local time. The last column counts the hours with a value.
days-hours = Hours
rose = Mean by wind direction
rose-wind = Where the wind came from
rose-most = Highest mean with wind from { $point }: { $mean }.
rose-wind-most = Mostly from { $point }: { $percent } of the hours.
rose-scale = Outer circle: { $outer }, inner circle: { $inner }.
rose-from = Wind from
rose-share = Share of hours
files = Files, API and sharing
all-components = Everything measured here
chart-label = { $component }, { $station }, { $window }
chart-help = Read values with the arrow keys, Home and End. Choose hours with Shift and these keys, then Enter, or drag with a mouse.
no-components = Nothing that this station measures is public at the moment.
no-points = There are no values in this period. Choose a longer one.
no-values = There are no values in this period.
gaps = { $hours ->
    [one] { $missing } of { $hours } hour without a value
   *[other] { $missing } of { $hours } hours without a value
}
table = Values as a table
table-time = Hour from
download = Download
download-label = { $format }, { $window }
workbook = Workbook: everything measured here, by the hour
workbook-values = Values
workbook-about = About these values
workbook-chart = Chart
workbook-code = Code
workbook-municipality = Municipality
workbook-address = Address
workbook-position = Latitude, longitude
workbook-times = Times
workbook-times-more = Each hour by its beginning, as the clock of { $zone } shows it; beside it the clock's offset from UTC.
workbook-offset = From UTC
workbook-source = Source
workbook-hours = { $hours ->
    [one] { $count } of { $hours } hour has a value
   *[other] { $count } of { $hours } hours have a value
}
workbook-compared = Workbook: these lines, by the hour
wide-csv = CSV, a column for each component
api-call = The same from the API
copy = Copy link
copied = Copied
compass-0 = N
compass-45 = NE
compass-90 = E
compass-135 = SE
compass-180 = S
compass-225 = SW
compass-270 = W
compass-315 = NW
prevailing = Mostly from
prevailing-share = { $point }, { $percent }% of hours
compare-with = Compare with
compare-here = Also here, in { $unit }
compare-other = Another station
compare-full = At most six can be compared. Choose one of these again to remove it, then another.
compare = Compare
compare-end = Stop comparing
calendar = { $window }, hour by hour
calendar-caption = A row for each day, a column for each hour of the clock from 0 to 23 ({ $zone })
calendar-day = Day
calendar-gap = no value
calendar-hint = Touch an hour, or use the arrow keys
share = Share, cite and embed
share-archived = This link stays: it always shows these hours, also when they are only in the archive, after { $window }.
share-stays = This link stays: it always shows these hours, for as long as they are among the last { $window }.
share-moves = This link moves: it always shows the newest values ({ $window }).
share-stay = A link that stays with these hours
share-move = A link that moves with the newest values
share-page = Link to this view
share-image = Line for your own page
share-citation = Citation
copy-text = Copy
download-picture = Download as SVG
download-png = Download as PNG
picture-period = { $window } until { $until } ({ $zone })
picture-old = Not current data
picture-credit = Source: { $operator }, preliminary hourly data, snapshot of { $snapshot }. { $license }
picture-license = Open data, CC BY-equivalent
picture-band = usual at this hour
picture-missing = Some of these hours are missing

about = What these words mean
about-elevation = { $metres } m above sea level: air is thinner, and often cleaner, higher up.
facts-elevation = { $metres } m above sea level
station-type-traffic-about = Traffic: beside a busy road; it measures the air that people breathe there.
station-type-urban-about = Urban: among the streets and houses of a town.
station-type-background-about = Background: away from single sources such as a road or a chimney; it represents a wider area.
station-type-industrial-about = Industrial: near works whose emissions reach it.
station-type-rural-about = Rural: outside of towns.
station-type-other-about = Other: its surroundings are not stated.
component-PM10-about = Dust so fine that it is breathed in: from roads, heating, building sites, soil and the desert.
component-PM2-5-about = The finer part of the dust, which goes deep into the lungs: mostly from heating, engines, and made of gases in the air.
component-PM1-about = The finest part of the dust, mostly from combustion.
component-NO2-about = A gas of engines and heating; highest beside roads at rush hours.
component-NO-about = What engines emit first; in the air it becomes nitrogen dioxide.
component-NOX-about = Nitrogen monoxide and dioxide together.
component-SO2-about = A gas of burning coal and oil, and of some works.
component-O3-about = A gas that sunshine makes of others: highest on summer afternoons, and lower beside roads.
component-CO-about = A gas of incomplete combustion, from engines and stoves.
component-H2S-about = A gas that smells of rotten eggs, from waste, works and nature.
component-NH3-about = A gas of farming: manure and fertilizers.
component-C6H6-about = A vapour of petrol and of burning wood.
component-BC-about = The soot in the dust: from diesel engines and burning wood.
component-TEMP-about = Of the air in the shade, some two metres above the ground.
component-RH-about = How much water vapour the air has of what it could have at its temperature.
component-PRES-about = At the height of the station: lower in the mountains.
component-WS-about = The mean of the hour; gusts are stronger.
component-WD-about = Where the wind comes from; an arrow shows where it blows.
component-SR-about = The energy of sunlight on the ground: none at night.
component-RAIN-about = Rain and melted snow of the hour: 1 mm is a litre on a square metre.
