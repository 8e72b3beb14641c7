const api = 'http://localhost:8080/api/v1';
const selection = 'parameter_code=NO2';

const values = new Map(); // by station, parameter and hour
let snapshot;

const keyOf = (row) => [row.time_start_utc, row.station_id, row.parameter_code].join(' ');

async function readLines(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  const lines = (await response.text()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function readAll() {
  const [{ meta }, ...rows] = await readLines(`${api}/observations/stream?${selection}`);
  values.clear();
  for (const row of rows) values.set(keyOf(row), row.value);
  snapshot = meta.snapshot_id;
}

async function readChanges() {
  const url = `${api}/changes?since=${snapshot}&${selection}`;
  const [{ meta }, ...changes] = await readLines(url);
  for (const key of values.keys()) if (key < meta.retention_from_utc) values.delete(key);
  for (const change of changes) {
    if (change.op === 'withdrawn') values.delete(keyOf(change));
    else values.set(keyOf(change), change.value);
  }
  snapshot = meta.snapshot_id;
}

let updated = Promise.resolve();
new EventSource(`${api}/events`).addEventListener('snapshot', () => {
  updated = updated
    .then(() => (snapshot === undefined ? readAll() : readChanges().catch(readAll)))
    .then(() => console.log(snapshot, values.size, 'values'))
    .catch(console.warn);
});
