// A Model Context Protocol server over standard input and output, for Node 20 or later. Settings of the client:
// { "mcpServers": { "air-quality": { "command": "node", "args": ["/PATH/server.mjs"] } } }
const api = 'http://localhost:8080/api/v1';
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const charactersMax = 100_000; // of an answer
const instructions = `Hourly air quality and weather of the last 30 days; daily values of years if there is an archive.
A value is the mean of the hour from time_start_utc on, preliminary, in the unit that list_parameters has. With a value,
name its station, hour and unit, and ${new URL(api).origin} as the source. The data contain neither limits nor judgements.`;

const text = (description) => ({ type: 'string', description });
const number = (description) => ({ type: 'number', description });
const series = {
  station_id: text('Ids of list_stations, separated by commas, such as 28005002.'),
  parameter_code: text('Codes of list_parameters, separated by commas, such as NO2,PM10. Default: all.'),
};
const position = {
  lat: number('Latitude in decimal degrees, WGS84; requires lon.'),
  lon: number('Longitude in decimal degrees, WGS84; requires lat.'),
  radius_m: number('Metres around the position, 1 to 1000000. Default: 25000.'),
};
const nearest = { type: 'boolean', description: 'Each parameter from the nearest station that has a value.' };

const tools = [
  tool('list_stations', 'Stations: ids, names, positions. With a position: the nearest first.',
    '/stations', { municipality: text('The whole name.'), ...position }),
  tool('list_parameters', 'Measured parameters: codes, names, units.', '/parameters', {}),
  tool('newest_values', 'Values of the newest hour, of stations or near a position.',
    '/observations/latest', { ...series, ...position, nearest }),
  tool('hourly_values', 'CSV with a row for each hour; default: the last 30 days.', '/observations.csv?layout=wide',
    { ...series, from: text('UTC, such as 2026-01-31T00:00Z.'), to: text('Excluded.') }, ['station_id']),
  tool('daily_values', 'CSV: mean, minimum, maximum and number of hours of each day.', '/daily.csv',
    { ...series, from: text('A day, such as 2026-01-31.'), to: text('Excluded.') }, ['station_id']),
];

function tool(name, description, path, properties, required = []) {
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  return { path, listed: { name, description, inputSchema, annotations: { readOnlyHint: true } } };
}

/** The first fault in the arguments of a call; undefined without one. */
function problemOf({ properties, required }, values) {
  const missing = required.find((name) => !Object.hasOwn(values, name));
  if (missing) return `${missing} is required.`;
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(properties, name)) return `There is no argument ${name}.`;
    if (typeof value !== properties[name].type) return `${name} must be a ${properties[name].type}.`;
  }
}

async function read({ path, listed }, values) {
  const problem = problemOf(listed.inputSchema, values);
  if (problem) throw new Error(problem);
  const url = new URL(api + path);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${body}`);
  if (body.length <= charactersMax) return body;
  throw new Error(`${body.length} characters: select fewer stations, parameters or hours.`);
}

/** The answer to a request; undefined for a notification. Errors of a call are results, which the model reads. */
async function answer(message) {
  const { id = null, method, params } = Object(message);
  const error = (code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
  const result = (result) => ({ jsonrpc: '2.0', id, result });
  if (message === undefined) return error(-32700, 'The line is not JSON.');
  if (typeof method !== 'string') return error(-32600, 'The message is not a request.');
  if (id === null) return undefined;
  if (method === 'ping') return result({});
  if (method === 'tools/list') return result({ tools: tools.map(({ listed }) => listed) });
  if (method === 'initialize') {
    const protocolVersion = versions.find((one) => one === params?.protocolVersion) ?? versions[0];
    const server = { capabilities: { tools: {} }, serverInfo: { name: 'air-quality', version: '1.0.0' } };
    return result({ protocolVersion, ...server, instructions });
  }
  if (method !== 'tools/call') return error(-32601, `There is no method ${method}.`);
  const called = tools.find(({ listed }) => listed.name === params?.name);
  if (!called) return error(-32602, `There is no tool ${params?.name}.`);
  const content = (text, isError) => result({ content: [{ type: 'text', text }], isError });
  return read(called, Object(params.arguments)).then(
    (body) => content(body, false),
    ({ message, cause }) => content(cause ? `${api}: ${cause.message}` : message, true),
  );
}

/** Answers a line: a message, or several as an array (protocol of 2025-03-26). */
async function respond(line) {
  const message = await new Response(line).json().catch(() => undefined);
  const answers = (await Promise.all([message].flat().map(answer))).filter(Boolean);
  if (answers.length > 0) console.log(JSON.stringify(Array.isArray(message) ? answers : answers[0]));
}

let rest = '';
for await (const chunk of process.stdin.setEncoding('utf8')) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line.trim()) void respond(line);
}
