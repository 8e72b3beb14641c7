# Остало је начињено од sr-Latn по правилу.
name = Српски
locale = sr-Cyrl
