const url = 'http://localhost:8080/api/v1/observations/latest?parameter_code=NO2';

let etag;
async function poll() {
  const response = await fetch(url, { headers: etag ? { 'If-None-Match': etag } : {} });
  if (response.status === 304) return console.log('nothing new');
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { data } = await response.json();
  etag = response.headers.get('ETag');
  console.log('new:', data.length, 'values');
}

for (;;) {
  await poll().catch(console.warn);
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
