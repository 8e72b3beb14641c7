/** A certificate for `data.example.org`, the site in the examples of `deploy/proxies/`. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireProgram } from '../../../../tools/system.mjs';

const execute = promisify(execFile);

/** The site that the examples are for. */
export const SITE = 'data.example.org';

/** Writes `fullchain.pem`, `privkey.pem` and both of them as `bundle.pem`; resolves with the certificate. */
export async function makeCertificate(directory: string): Promise<string> {
  const [certificate, key] = [join(directory, 'fullchain.pem'), join(directory, 'privkey.pem')];
  const what = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', `/CN=${SITE}`, '-addext', `subjectAltName=DNS:${SITE}`, '-days', '2'];
  await execute(requireProgram(['openssl']), [
    'req',
    ...what,
    ...name,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  const text = await readFile(certificate, 'utf8');
  await writeFile(join(directory, 'bundle.pem'), `${text}${await readFile(key, 'utf8')}`);
  return text;
}
