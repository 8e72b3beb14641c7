/** The title and the opening text of the OpenAPI document and of `/llms.txt`: what holds for every endpoint. CommonMark. */
export const TITLE = 'Open data: hourly air quality and weather';

export const INTRODUCTION = `
Hourly means of air quality and, where it is measured, of weather, and the EU high-value dataset made from them. Open data: no registration, no keys,
no cookies, any origin.

**Snapshots.** All data come from one immutable snapshot; a new one takes its place at once. Every
answer is wholly made from one snapshot, which \`X-Snapshot-Id\` names. Windows end at its \`generated_at\`, not at the
time of the request. Data are preliminary and kept for 30 days.

**Methods.** \`HEAD\` is answered wherever \`GET\` is, with the same header fields and no body. \`OPTIONS\` is answered with
204, \`Allow\` and the fields of CORS. Any other method gets 405.

**Caching.** Answers have an \`ETag\` and mostly \`Last-Modified\`: send them back in \`If-None-Match\` or
\`If-Modified-Since\` and get 304 while nothing has changed. Answers are compressed with gzip where \`Accept-Encoding\` allows it.

**Parameters.** Unknown ones are ignored, of a repeated one the last counts, or where it is a list all do (\`name[]\` and \`name[0]\` are \`name\` then), and a blank optional one is as good as none.
Text is trimmed. Integers are plain decimal digits, \`^(0|-?[1-9]\\d*)$\`: no sign but \`-\`, no leading zero, no exponent.
Booleans are \`true\`, \`false\`, \`1\` or \`0\`, in any case.

**Values.** Date-times are \`YYYY-MM-DDTHH:MM:SSZ\`. Hours are UTC and named by their start. Numbers keep every digit that
they came with, units and codes are served as the operator writes them. A field of the high-value dataset that is not known
is null; a member of the first API is left out.

**Examples** of parameters name a station and a component of this instance. Examples of answers are those of the demonstration
(Comunidad de Madrid, February 2026), with two records at the most. \`/stations\` and \`/components\` list all identifiers.

**Errors** are JSON with a \`detail\`: a text, or for 422 a list of problems. None may be cached. A client
that prefers HTML, as browsers do, gets a page for an unknown path. A request that is not proper HTTP gets 400, 431 or 505 whatever its path.
`.trim();
