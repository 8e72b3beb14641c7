contents = Na ovoj stranici
changed = Poslednja izmena teksta
without-snapshot = Podaci trenutno nisu dostupni, pa na ovoj stranici nema naziva operatera ni brojčanih podataka o skupu. Tekst važi i bez njih.
files = Ceo skup podataka, prema aktuelnom preseku
files-name = Datoteka
files-contents = Sadržaj
files-format = Format
files-size = Veličina
files-readme = Napomene i rečnik podataka.
unknown-operator = [operater]
unknown-time = [GGGG-MM-DD ČČ:MM UTC]

# Koliko često podaci stižu: oznake iz evropskog spiska učestalosti.
refresh-UPDATE_CONT = neprekidno
refresh-CONT = neprekidno
refresh-10MIN = svakih deset minuta
refresh-15MIN = svakih petnaest minuta
refresh-30MIN = svakih pola sata
refresh-HOURLY = svakog sata
refresh-BIHOURLY = svaka dva sata
refresh-TRIHOURLY = svaka tri sata
refresh-12HRS = svakih dvanaest sati
refresh-DAILY = svakog dana
refresh-DAILY_2 = dva puta dnevno
refresh-WEEKLY = svake nedelje
refresh-MONTHLY = svakog meseca
refresh-IRREG = neredovno
