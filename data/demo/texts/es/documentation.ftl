viewer = Todas las operaciones
in-english = La descripción de la API está en inglés.
loading = Cargando la descripción de la API…

# Los avisos pueden llevar enlaces, código y negrita de Markdown.
without-scripts = Esta referencia necesita JavaScript, que aquí está desactivado. La misma información está disponible como [documento OpenAPI](/openapi.json); la página [Acerca del conjunto de datos](/legal/dataset) explica qué son los datos.
failed = No se ha podido cargar la referencia. La misma información está disponible como [documento OpenAPI](/openapi.json); la página [Acerca del conjunto de datos](/legal/dataset) explica qué son los datos.

recipes-contents = Herramientas
recipes-copy = Copiar
recipes-copied = Copiado
