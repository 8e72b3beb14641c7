/** The examples in front of a service that is a part of a site, changed as docs/operations/proxies.md, "Below a path" says. */
import t from 'tap';
import { snapshotDocument } from '../../../support/documents/documents.js';
import { addressesIn } from '../../../support/readers/html.js';
import { startServing } from '../../../support/service/serve-documents.js';
import { ask } from '../../support/proxies/ask.js';
import { SITE } from '../../support/proxies/certificate.js';
import { PROXIES, startProxy, type ProxyName } from '../../support/proxies/proxies.js';

const TAKEN_AWAY = '    rewrite ^/air(/.*)$ $1 break;\n    proxy_pass';
const FORWARDED = '  http-request set-header X-Forwarded-For %[src]\n';

const CHANGES: Readonly<Record<ProxyName, Readonly<Record<string, string>>>> = {
  nginx: {
    'location / {': 'location /air/ {',
    'location ~ ^/api/v1/(': 'location ~ ^/air/api/v1/(',
    '    proxy_pass': TAKEN_AWAY,
  },
  haproxy: {
    [FORWARDED]: `${FORWARDED}  http-request redirect location /air/ code 308 if { path /air }
  http-request replace-path ^/air(/.*)$ \\1\n`,
  },
  caddy: {
    '\treverse_proxy': '\tredir /air /air/ 308\n\thandle_path /air/* {\n\treverse_proxy',
    '\n\t}\n}\n': '\n\t}\n\t}\n}\n',
  },
  varnish: {
    'sub vcl_recv {\n': 'sub vcl_recv {\n  set req.url = regsub(req.url, "^/air/", "/");\n',
  },
};

const service = await startServing(t, snapshotDocument(), {
  env: { TRUST_PROXY: '1', PUBLIC_BASE_URL: `https://${SITE}/air` },
});

for (const name of PROXIES) {
  await t.test(name, async (t) => {
    const options = { changes: CHANGES[name], path: '/air' };
    const proxy = await startProxy(t, name, [service.port, service.port], options);
    const page = await ask(proxy, '/air/overview?language=en');
    t.equal(page.status, 200);
    const ours = addressesIn(page.body.toString()).filter((address) => !address.startsWith('#'));
    t.ok(ours.length > 20, `${ours.length} addresses`);
    for (const address of new Set(ours)) {
      t.ok(address.startsWith('/air/'), address);
      t.equal((await ask(proxy, address)).status, 200, address);
    }
    t.equal((await ask(proxy, '/air/api/v1/observations/stream')).status, 200);
    for (const coding of ['gzip', 'identity']) {
      const part = await ask(proxy, '/air/api/v1/bulk/stations.csv', {
        headers: { range: 'bytes=0-99', 'accept-encoding': coding },
      });
      t.strictSame([part.status, part.body.byteLength], [206, 100], coding);
    }
    const { status, headers } = await ask(proxy, '/air/legal/terms/');
    t.strictSame([status, headers.location], [308, '/air/legal/terms']);
    if (name === 'varnish') return;
    const bare = await ask(proxy, '/air');
    t.ok([301, 308].includes(bare.status), `${bare.status}`);
    t.equal(new URL(bare.headers.location ?? '', `https://${SITE}`).pathname, '/air/');
  });
}
