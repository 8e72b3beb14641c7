# Naziv jezika, i kako se u njemu pišu datumi i brojevi.
name = Srpski
locale = sr-Latn
