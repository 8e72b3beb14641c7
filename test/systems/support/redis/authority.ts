/** A certificate authority made for one test by openssl, and the certificate of a server on this machine. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Scope } from '../../../support/service/ports.js';

/** Paths of files in PEM. */
export interface TlsFiles {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Makes an authority and a certificate that it has signed, whose `subjectAltName` is `names`. */
export async function makeAuthority(
  scope: Scope,
  names = 'IP:127.0.0.1,DNS:localhost',
): Promise<TlsFiles> {
  const directory = await mkdtemp(join(tmpdir(), 'bura-tls-'));
  scope.teardown(() => rm(directory, { recursive: true, force: true }));
  const [authority = '', authorityKey = '', certificate = '', key = ''] = [
    'authority.pem',
    'authority.key',
    'server.pem',
    'server.key',
  ].map((name) => join(directory, name));
  const request = async (...words: readonly string[]): Promise<void> => {
    const usual = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
    await promisify(execFile)('openssl', [...usual.split(' '), ...words]);
  };
  await request('-subj', '/CN=Authority', '-keyout', authorityKey, '-out', authority);
  const own = ['-subj', '/CN=Server', '-keyout', key, '-out', certificate];
  const extensions = ['-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=CA:FALSE'];
  await request(...own, '-CA', authority, '-CAkey', authorityKey, ...extensions);
  return { authority, certificate, key };
}
