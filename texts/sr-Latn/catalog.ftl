title = Katalog otvorenih podataka o kvalitetu vazduha
description = { $weather ->
    [yes] Skupovi podataka visoke vrednosti o kvalitetu vazduha i meteorološkim parametrima: merne stanice, mereni parametri i satna merenja za poslednjih 30 dana.
   *[no] Skupovi podataka visoke vrednosti o kvalitetu vazduha: merne stanice, mereni parametri i satna merenja za poslednjih 30 dana.
}
dataset-stations = Merne stanice za praćenje kvaliteta vazduha
dataset-parameters = Parametri koji se mere u mreži za praćenje kvaliteta vazduha
dataset-observations = Satna merenja kvaliteta vazduha za poslednjih 30 dana, preliminarni podaci
service = API za pristup podacima o kvalitetu vazduha
service-description = Javno dostupan API, bez prijavljivanja i pristupnih ključeva: merne stanice, mereni parametri, satna merenja i datoteke za preuzimanje.
distribution-api = API
distribution-api-description = Aktuelni zapisi u formatu JSON, preko API servisa.
distribution-csv = CSV
distribution-csv-description = Svi zapisi u jednoj CSV datoteci: kodni raspored UTF-8, vrednosti razdvojene zarezom, nazivi kolona u prvom redu.
distribution-geojson = GeoJSON
distribution-geojson-description = Sve stanice kao tačke u formatu GeoJSON (WGS84, najpre geografska dužina, zatim širina).
distribution-json = JSON
distribution-json-description = Svi zapisi kao jedan JSON niz.
distribution-parquet = Parquet
distribution-parquet-description = Svi zapisi u jednoj Apache Parquet datoteci, sa tipizovanim kolonama, uređeni po stanici, parametru i vremenu.
distribution-archive = arhiva
distribution-archive-description = Satne vrednosti starije od 30 dana: spisak Parquet datoteka, po jedna za svaki mesec.
distribution-archive-daily = dnevne vrednosti
distribution-archive-daily-description = Vrednosti po danima u jednoj CSV datoteci, i starije od 30 dana.
keywords = kvalitet vazduha; zagađenje vazduha; merne stanice; zagađujuće materije; životna sredina; skupovi podataka visoke vrednosti
keywords-weather = meteorologija
license = Otvoreni podaci po Zakonu o elektronskoj upravi (odgovara licenci CC BY)
license-page = Licenca
dictionary = Rečnik podataka
document-documentation = API dokumentacija
document-terms = Uslovi korišćenja
document-qos = Kvalitet usluge
document-dataset = O skupu podataka
