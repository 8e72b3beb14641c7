viewer = Sve operacije
in-english = Opis API servisa je na engleskom jeziku.
loading = Učitava se opis API servisa…

# Obaveštenja mogu da sadrže veze, kod i podebljan tekst u Markdown zapisu.
without-scripts = Za ovaj prikaz potreban je JavaScript, koji je ovde isključen. Isti sadržaj dostupan je kao [OpenAPI dokument](/openapi.json), a šta podaci predstavljaju opisano je na stranici [O skupu podataka](/legal/dataset).
failed = Prikaz nije mogao da se učita. Isti sadržaj dostupan je kao [OpenAPI dokument](/openapi.json), a šta podaci predstavljaju opisano je na stranici [O skupu podataka](/legal/dataset).

recipes-contents = Alati
recipes-copy = Kopiraj
recipes-copied = Kopirano
