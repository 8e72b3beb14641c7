# Nombre del idioma y forma de escribir en él las fechas y los números: como en España, con 24 horas y el día antes del mes.
name = Español
locale = es-ES
