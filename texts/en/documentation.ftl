viewer = All operations
in-english = The description of the API is in English.
loading = Loading the description of the API…

# Notices may have links, code and strong text of Markdown.
without-scripts = This reference needs JavaScript, which is switched off here. The same is to be had as [OpenAPI document](/openapi.json); what the data are is on the page [About the dataset](/legal/dataset).
failed = The reference could not be loaded. The same is to be had as [OpenAPI document](/openapi.json); what the data are is on the page [About the dataset](/legal/dataset).

recipes-contents = Tools
recipes-copy = Copy
recipes-copied = Copied
