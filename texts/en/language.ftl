# The language's name, and how dates and numbers are written in it: here as in Europe, with 24 hours and the day before the month.
name = English
locale = en-GB
