contents = On this page
changed = Text last changed
without-snapshot = The data are not available at the moment, so this page does not show the operator and the figures of the dataset. The text holds all the same.
files = The whole dataset, as the active snapshot has it
files-name = File
files-contents = Holds
files-format = Format
files-size = Size
files-readme = Notes and the data dictionary.
unknown-operator = [operator]
unknown-time = [YYYY-MM-DD HH:MM UTC]

# How often data come: the codes of the EU's frequency authority.
refresh-UPDATE_CONT = continuously
refresh-CONT = continuously
refresh-10MIN = every ten minutes
refresh-15MIN = every quarter of an hour
refresh-30MIN = every half hour
refresh-HOURLY = hourly
refresh-BIHOURLY = every two hours
refresh-TRIHOURLY = every three hours
refresh-12HRS = every twelve hours
refresh-DAILY = daily
refresh-DAILY_2 = twice a day
refresh-WEEKLY = weekly
refresh-MONTHLY = monthly
refresh-IRREG = irregularly
