title = Kvalitet vazduha na mernim stanicama
description = { $weather ->
    [yes] Satna merenja kvaliteta vazduha i vremenskih prilika na javnim mernim stanicama, kao otvoreni podaci: karta, grafikoni, datoteke i API.
   *[no] Satna merenja kvaliteta vazduha na javnim mernim stanicama, kao otvoreni podaci: karta, grafikoni, datoteke i API.
}
heading = { $component } na mernim stanicama
unavailable = Podaci trenutno nisu dostupni
unavailable-more = Merenja se u ovom trenutku ne mogu prikazati. Pokušajte ponovo za nekoliko minuta; do tada ne morate ništa da preduzimate.
no-stations = Ova mreža trenutno nema javnih mernih stanica.
no-page = Na ovoj adresi nema stranice
no-page-more = Potražite stanicu ili mesto, ili nastavite na jednu od ovih stranica.
no-archive = Ovde nema ranijih godina
no-archive-more = Ova usluga ima samo poslednjih 30 dana, bez arhive ranijih godina. Potražite stanicu ili mesto, ili nastavite na jednu od ovih stranica.
no-station = Takve stanice nema
no-station-more = Ove stanice nema u podacima ili nije javna. Potražite drugu stanicu ili mesto.
overview = Sve stanice, sve što se meri
episode = Nedelja, stanice po danima
episode-heading = { $component }: nedelja, stanice po danima
episode-empty = Trenutno nema dana sa vrednostima.
episode-hour = Najviši sat: { $value }, { $station }, { $hour }.
episode-day-mean = Najviši dnevni prosek: { $value }, { $station }, { $day }, među danima sa najmanje tri četvrtine sati.
episode-day-sum = Najveći dnevni zbir: { $value }, { $station }, { $day }, među danima sa najmanje tri četvrtine sati.
episode-ties = { $count ->
    [one] Još { $count } sat ima istu vrednost.
    [few] Još { $count } sata imaju istu vrednost.
   *[other] Još { $count } sati ima istu vrednost.
}
episode-day-ties = { $count ->
    [one] Još { $count } dan ima istu brojku.
    [few] Još { $count } dana imaju istu brojku.
   *[other] Još { $count } dana ima istu brojku.
}
episode-figure = Šta se prikazuje za svaki dan
episode-highest = Najviši sat svakog dana
episode-mean = Prosek svakog dana
episode-sum = Zbir svakog dana
episode-note = Ispod svakog broja: kada počinje najviši sat tog dana.
episode-week = Nedelja
years = Godine
years-all = Sve godine
years-mean = { $step ->
    [month] Srednja vrednost svih sati: { $value }.
   *[day] Njihova srednja vrednost: { $value }.
}
years-sum = { $step ->
    [month] Zbir svih sati: { $value }.
   *[day] Njihov zbir: { $value }.
}
years-highest = { $step ->
    [month] Najviši mesec: { $value } ({ $day }).
   *[day] Najviši dan: { $value }, { $day }.
}
years-lowest = { $step ->
    [month] Najniži mesec: { $value } ({ $day }).
   *[day] Najniži dan: { $value }, { $day }.
}
years-all-days = { $all ->
    [one] Do sada, od { $from }, najmanje tri četvrtine sati ima { $days } od { $all } dana.
    [few] Do sada, od { $from }, najmanje tri četvrtine sati ima { $days } od { $all } dana.
   *[other] Do sada, od { $from }, najmanje tri četvrtine sati ima { $days } od { $all } dana.
}
years-month-ties = { $count ->
    [one] Još { $count } mesec ima isti broj.
    [few] Još { $count } meseca imaju isti broj.
   *[other] Još { $count } meseci ima isti broj.
}
years-days = { $all ->
    [one] U { $year }. vrednosti ima za { $days } od { $all } dana.
    [few] U { $year }. vrednosti ima za { $days } od { $all } dana.
   *[other] U { $year }. vrednosti ima za { $days } od { $all } dana.
}
years-days-so-far = { $all ->
    [one] U { $year }. do sada vrednosti ima za { $days } od { $all } dana.
    [few] U { $year }. do sada vrednosti ima za { $days } od { $all } dana.
   *[other] U { $year }. do sada vrednosti ima za { $days } od { $all } dana.
}
years-other-unit = { $days ->
    [one] Još { $days } dan je u { $unit }, i samo u datoteci.
    [few] Još { $days } dana su u { $unit }, i samo u datoteci.
   *[other] Još { $days } dana je u { $unit }, i samo u datoteci.
}
years-other-months = { $count ->
    [one] Još { $count } mesec je u { $unit }, i samo u datoteci.
    [few] Još { $count } meseca su u { $unit }, i samo u datoteci.
   *[other] Još { $count } meseci je u { $unit }, i samo u datoteci.
}
years-among = { $step ->
    [month] Najviši i najniži su među mesecima sa najmanje tri četvrtine sati.
   *[day] Najviši i najniži su među danima sa najmanje tri četvrtine sati.
}
years-none = { $step ->
    [month] Arhiva ovde nema vrednosti za { $component }. Godine u arhivi:
   *[day] Arhiva ovde nema vrednosti za { $component } u { $year }. Godine u arhivi:
}
years-note = Dani su po satu zone { $zone }.
years-ended = Stanice koje više ne rade
years-line-mean = { $step ->
    [month] Srednja vrednost svakog meseca.
   *[day] Srednja vrednost svakog dana i pojas od najnižeg do najvišeg sata.
}
years-line-sum = { $step ->
    [month] Zbir svakog meseca.
   *[day] Zbir svakog dana.
}
years-calendar = { $step ->
    [month] sve godine, mesec po mesec
   *[day] { $year }, dan po dan
}
years-caption = { $step ->
    [month] Red za svaku godinu, kolona za svaki mesec
   *[day] Red za svaki dan, kolona za svaki mesec
}
years-rows-mean = { $step ->
    [month] Mesec po mesec: srednja vrednost, najniže, najviše
   *[day] Dan po dan: srednja vrednost, najniže, najviše
}
years-rows-sum = { $step ->
    [month] Mesec po mesec: zbir, najniže, najviše
   *[day] Dan po dan: zbir, najniže, najviše
}
years-step = { $step ->
    [month] Mesec
   *[day] Dan
}
years-station = Najnovije vrednosti ove stanice
episode-part = { $hours ->
    [one] { $hours } sat
    [few] { $hours } sata
   *[other] { $hours } sati
}
measured-until = Izmereno do
published = objavljeno
just-now = pre manje od jednog sata
month-ago = pre više od mesec dana
old = Ovi podaci nisu aktuelni: objavljeni su { $age }.
demonstration = Demonstracija, podaci nisu aktuelni: merenja iz perioda { $period }
preliminary = Preliminarni podaci
hourly = srednje satne vrednosti
hourly-sums = satni zbirovi
zone = Vremenska zona: { $zone }

component-PM10 = Suspendovane čestice manje od 10{"\u00A0"}µm
component-PM2-5 = Suspendovane čestice manje od 2,5{"\u00A0"}µm
component-PM1 = Suspendovane čestice manje od 1{"\u00A0"}µm
component-NO2 = Azot-dioksid
component-NO = Azot-monoksid
component-NOX = Oksidi azota
component-SO2 = Sumpor-dioksid
component-O3 = Prizemni ozon
component-CO = Ugljen-monoksid
component-H2S = Vodonik-sulfid
component-NH3 = Amonijak
component-C6H6 = Benzen, C₆H₆
component-C6H6-label = Benzen
component-BC = Crni ugljenik (čađ)
component-BC-label = Crni ugljenik
component-TEMP = Temperatura vazduha
component-TEMP-label = Temperatura
component-RH = Relativna vlažnost vazduha
component-RH-label = Vlažnost
component-PRES = Vazdušni pritisak
component-PRES-label = Pritisak
component-WS = Brzina vetra
component-WS-label = Vetar
component-WD = Odakle vetar duva: 0° sever, 90° istok
component-WD-label = Smer vetra
component-SR = Jačina Sunčevog zračenja
component-SR-label = Sunčevo zračenje
component-RAIN = Količina padavina
component-RAIN-label = Padavine

pick-component = Šta se meri
pick-window = Period
window-1h = 1 sat
window-1d = 24 sata
window-7d = 7 dana
window-14d = 14 dana
window-30d = 30 dana
period-fixed = Izabrani sati
period-gone = Sati iz ove veze više nisu ovde: ova stranica ima poslednjih { $window }.
period-later = Sati iz ove veze još nisu objavljeni.
period-cut = Raniji sati iz ove veze više nisu ovde: ova stranica ima poslednjih { $window }.
period-archive = Raniji sati su u arhivi.
period-open = Kasniji sati iz ove veze još nisu objavljeni.
highest = Najviše
median = Medijana
lowest = Najniže
mean = Srednja vrednost
sum = Zbir
more-hours = i još { $count ->
    [one] { $count } sat
    [few] { $count } sata
   *[other] { $count } sati
}
more-stations = i još { $count ->
    [one] { $count } stanica
    [few] { $count } stanice
   *[other] { $count } stanica
}
coverage = { $hours ->
    [one] { $hours } sat
    [few] { $hours } sata
   *[other] { $hours } sati
} sa vrednošću, { $days ->
    [one] { $days } dan
    [few] { $days } dana
   *[other] { $days } dana
}
newest-hour = Najnoviji sat:
compared = { $all ->
    [one] { $count } od { $all } stanice
    [few] { $count } od { $all } stanice
   *[other] { $count } od { $all } stanica
}
late = kasni
late-meaning = kasni: iz ranijeg sata
show-wind = Prikaži vetar
hide-wind = Sakrij vetar
wind-meaning = kuda vetar duva
map = Karta mernih stanica
map-hour = Sat na karti
map-play = Pusti ove sate
map-day = Dan na karti
map-last-day = Poslednja 24 sata
hour-gone = Sat iz ove veze više nije ovde: ova stranica ima poslednjih { $window }.
hour-later = Sat iz ove veze još nije objavljen.
on-map = Na karti: { $hour }
show = Prikaži
new-values = Objavljene su nove vrednosti.
show-new = Prikaži ih
chosen-hour = Ovaj sat:
skip-map = Preskoči kartu: isto piše u tabeli mernih stanica
zoom-in = Uvećaj
zoom-out = Umanji
zoom-reset = Cela mreža
no-positions = Položaji stanica nisu poznati, pa nema karte.
no-value = nema aktuelne vrednosti
legend = Boje
scale-note = { $source ->
    [none] Boje ređaju vrednosti od niskih ka visokim; ništa ne ocenjuju.
   *[own] Boje: { $source }
}
map-credit = Karta: Natural Earth, GeoNames
map-limited = Karta prikazuje { $shown } od { $all ->
    [one] { $all } stanice
    [few] { $all } stanice
   *[other] { $all } stanica
}, one sa najvišim vrednostima. Ostale se vide kad ih potražite.
list-limited = Navedeno je prvih { $shown }. Ostale ćete naći pretragom.
stations = Merne stanice
search = Pretraga stanica
search-hint = Naziv ili mesto
find = Traži
clear = Sve stanice
found = { $all ->
    [one] Prikazano { $shown } od { $all } stanice
    [few] Prikazano { $shown } od { $all } stanice
   *[other] Prikazano { $shown } od { $all } stanica
}
unknown-station = Stanice iz ovog linka nema u ovim podacima, ili je više nema. Potražite drugu po nazivu ili mestu.
nothing-found = Nijedan naziv, mesto, šifra ni adresa ne počinje tako.
not-measuring = { $count ->
    [one] { $count } stanica ne meri { $component }
    [few] { $count } stanice ne mere { $component }
   *[other] { $count } stanica ne meri { $component }
}
station-not-measuring = Ova stanica ne meri: { $component }.
near = Stanice najbliže mestu { $place }
near-point = Stanice najbliže ovoj tački karte
near-me = Stanice koje su vam najbliže
use-location = Upotrebi moj položaj
location-failed = Ovaj uređaj ne kaže gde se nalazi.
trend-up = više nego prethodnog sata
trend-down = manje nego prethodnog sata
trend-same = isto kao prethodnog sata
sort-by = Poređaj
sort-name = po nazivu
sort-value = po vrednosti, od najviše
sort-time = po vremenu, od najnovijeg
column-station = Stanica
column-day = 24 sata
column-value = Vrednost
column-time = Sat od
station-type-traffic = Saobraćajna
station-type-urban = Gradska
station-type-background = Pozadinska
station-type-industrial = Industrijska
station-type-rural = Ruralna
station-type-other = Ostalo
inactive = Nije u funkciji
close = Zatvori
change = { $change } od prethodnog sata.
change-none = Isto kao prethodnog sata.
change-rising = Raste već { $hours ->
    [one] { $hours } sat
    [few] { $hours } sata
   *[other] { $hours } sati
}: { $change } od prethodnog sata.
change-falling = Opada već { $hours ->
    [one] { $hours } sat
    [few] { $hours } sata
   *[other] { $hours } sati
}: { $change } od prethodnog sata.
rank-highest = Najviše od { $count ->
    [one] { $count } stanice
    [few] { $count } stanice
   *[other] { $count } stanica
}.
rank-lowest = Najniže od { $count ->
    [one] { $count } stanice
    [few] { $count } stanice
   *[other] { $count } stanica
}.
rank-same = Isto na svim stanicama: { $count ->
    [one] { $count } stanica
    [few] { $count } stanice
   *[other] { $count } stanica
}.
rank-shared = Isto na još { $count ->
    [one] { $count } stanici
    [few] { $count } stanice
   *[other] { $count } stanica
}.
rank-highest-place = { $ordinal ->
   *[other] { $place }.
} po visini od { $count ->
    [one] { $count } stanice
    [few] { $count } stanice
   *[other] { $count } stanica
}.
rank-lowest-place = { $ordinal ->
   *[other] { $place }.
} najniže od { $count ->
    [one] { $count } stanice
    [few] { $count } stanice
   *[other] { $count } stanica
}.
usual-now = { $side ->
    [higher] Više nego obično u ovo doba: niže u { $lower } od { $days } dana.
    [lower] Niže nego obično u ovo doba: više u { $higher } od { $days } dana.
    [same] Uobičajeno za ovo doba: isto u { $same } od { $days } dana.
   *[usual] Uobičajeno za ovo doba: niže u { $lower } od { $days } dana, više u { $higher }.
}
usual-range = Uobičajeno u { $hour }: od { $low } do { $high }.
usual-band = uobičajeno u taj sat na časovniku: 8 od 10 vrednosti ({ $coverage })
days = Dan po dan: srednja vrednost, najniže, najviše
days-sums = Dan po dan: zbir, najniže, najviše
days-more = Dani po lokalnom vremenu. Poslednja kolona broji sate sa vrednošću.
days-hours = Sati
rose = Srednja vrednost prema smeru vetra
rose-wind = Odakle je vetar duvao
rose-most = Najviša srednja vrednost kad vetar duva sa { $point }: { $mean }.
rose-wind-most = Najčešće sa { $point }: { $percent } sati.
rose-scale = Spoljni krug: { $outer }, unutrašnji: { $inner }.
rose-from = Vetar sa
rose-share = Udeo sati
files = Datoteke, API i deljenje
all-components = Sve što se ovde meri
chart-label = { $component }, { $station }, { $window }
chart-help = Vrednosti čitajte strelicama i tasterima Home i End. Sate birate istim tasterima uz Shift, pa Enter, ili prevlačenjem mišem.
no-components = Merenja ove stanice trenutno nisu javno dostupna.
no-points = U ovom periodu nema vrednosti. Izaberite duži period.
no-values = U ovom periodu nema vrednosti.
gaps = { $hours ->
    [one] Bez vrednosti { $missing } od { $hours } sata
    [few] Bez vrednosti { $missing } od { $hours } sata
   *[other] Bez vrednosti { $missing } od { $hours } sati
}
table = Vrednosti u tabeli
table-time = Sat od
download = Preuzmite
download-label = { $format }, { $window }
workbook = Radna sveska: sve što se ovde meri, po satima
workbook-values = Vrednosti
workbook-about = O ovim vrednostima
workbook-chart = Grafikon
workbook-code = Oznaka
workbook-municipality = Opština
workbook-address = Adresa
workbook-position = Širina, dužina
workbook-times = Vremena
workbook-times-more = Svaki sat po svom početku, kako ga pokazuje časovnik zone { $zone }; pored njega odstupanje od UTC.
workbook-offset = Od UTC
workbook-source = Izvor
workbook-hours = { $hours ->
    [one] { $count } od { $hours } sata ima vrednost
    [few] { $count } od { $hours } sata ima vrednost
   *[other] { $count } od { $hours } sati ima vrednost
}
workbook-compared = Radna sveska: ove linije, po satima
wide-csv = CSV, kolona za svaku komponentu
api-call = Isti podaci iz API-ja
copy = Kopiraj vezu
copied = Kopirano
compass-0 = S
compass-45 = SI
compass-90 = I
compass-135 = JI
compass-180 = J
compass-225 = JZ
compass-270 = Z
compass-315 = SZ
prevailing = Najčešće sa
prevailing-share = { $point }, { $percent }% sati
compare-with = Uporedi sa
compare-here = Takođe ovde, u { $unit }
compare-other = Druga stanica
compare-full = Najviše šest može da se poredi. Izaberite ponovo jednu od ovih da je uklonite, pa zatim drugu.
compare = Uporedi
compare-end = Prekini poređenje
calendar = { $window }, sat po sat
calendar-caption = Red za svaki dan, kolona za svaki sat na časovniku od 0 do 23 ({ $zone })
calendar-day = Dan
calendar-gap = nema vrednosti
calendar-hint = Dodirnite sat ili koristite strelice
share = Deljenje, navođenje i ugradnja
share-archived = Ova veza ostaje ista: uvek prikazuje ove sate, i kada su posle { $window } samo u arhivi.
share-stays = Ova veza ostaje ista: uvek prikazuje ove sate, sve dok su među poslednjih { $window }.
share-moves = Ova veza se pomera: uvek prikazuje najnovije vrednosti ({ $window }).
share-stay = Veza koja ostaje na ovim satima
share-move = Veza koja prati najnovije vrednosti
share-page = Veza ka ovom prikazu
share-image = Red za vašu stranicu
share-citation = Navođenje izvora
copy-text = Kopiraj
download-picture = Preuzmite kao SVG
download-png = Preuzmi kao PNG
picture-period = { $window } do { $until } ({ $zone })
picture-old = Podaci nisu aktuelni
picture-credit = Izvor: { $operator }, preliminarni satni podaci, presek od { $snapshot }. { $license }
picture-license = Otvoreni podaci, CC BY ekvivalent
picture-band = uobičajeno u taj sat
picture-missing = Nedostaju neki od ovih sati

about = Šta ove reči znače
about-elevation = { $metres } m nad morem: više gore vazduh je ređi, a često i čistiji.
facts-elevation = { $metres } m nad morem
station-type-traffic-about = Saobraćajna: pored prometne ulice; meri ono što dišu oni koji tuda hodaju i tu žive.
station-type-urban-about = Gradska: među ulicama i kućama grada.
station-type-background-about = Pozadinska: daleko od pojedinih izvora kao što su ulica ili dimnjak; predstavlja širu okolinu.
station-type-industrial-about = Industrijska: blizu pogona čije emisije do nje stižu.
station-type-rural-about = Ruralna: van gradova.
station-type-other-about = Ostalo: nije navedeno kakva je okolina.
component-PM10-about = Prašina toliko sitna da se udiše: sa puteva, iz grejanja, sa gradilišta, iz tla i pustinje.
component-PM2-5-about = Sitniji deo prašine, koji dospeva duboko u pluća: najviše iz grejanja i motora, a nastaje i od gasova u vazduhu.
component-PM1-about = Najsitniji deo prašine, uglavnom od sagorevanja.
component-NO2-about = Gas iz motora i grejanja; najviši je pored ulica u vreme gužve.
component-NO-about = Ono što motori prvo ispuste; u vazduhu postaje azot-dioksid.
component-NOX-about = Azot-monoksid i azot-dioksid zajedno.
component-SO2-about = Gas od sagorevanja uglja i nafte, i iz nekih pogona.
component-O3-about = Gas koji sunce pravi od drugih gasova: najviši je u letnja popodneva, a niži pored ulica.
component-CO-about = Gas nepotpunog sagorevanja, iz motora i peći.
component-H2S-about = Gas koji miriše na pokvarena jaja: iz otpada, pogona i prirode.
component-NH3-about = Gas iz poljoprivrede: od stajnjaka i đubriva.
component-C6H6-about = Isparenje benzina i produkt sagorevanja drva.
component-BC-about = Čađ u prašini: iz dizel-motora i od sagorevanja drva.
component-TEMP-about = Vazduha u senci, oko dva metra iznad tla.
component-RH-about = Koliko vodene pare vazduh ima od onoga što bi na toj temperaturi mogao.
component-PRES-about = Na visini stanice: u planinama je niži.
component-WS-about = Srednja vrednost sata; udari su jači.
component-WD-about = Odakle vetar duva; strelica pokazuje kuda.
component-SR-about = Energija sunčeve svetlosti na tlu: noću je nema.
component-RAIN-about = Kiša i otopljeni sneg tog sata: 1 mm je litar po kvadratnom metru.
