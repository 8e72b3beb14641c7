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

const runFile = promisify(execFile);

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * Makes an authority and a certificate that it has signed.
 *
 * @param options.names the certificate's `subjectAltName`; default: 127.0.0.1 and localhost.
 */
export async function makeAuthority(
  scope: Scope,
  { names = 'IP:127.0.0.1,DNS:localhost' }: { readonly names?: string } = {},
): Promise<TlsFiles> {
  const directory = await mkdtemp(join(tmpdir(), 'bura-tls-'));
  scope.teardown(() => rm(directory, { recursive: true, force: true }));
  const pathOf = (name: string): string => join(directory, name);
  const authority = pathOf('authority.pem');
  const authorityKey = pathOf('authority.key');
  const files = { authority, certificate: pathOf('server.pem'), key: pathOf('server.key') };
  const request = ['req', '-x509', ...NEW_KEY, '-days', '2'];
  const own = ['-subj', '/CN=Authority of a test', '-keyout', authorityKey, '-out', authority];
  await runFile('openssl', [...request, ...own]);
  const server = ['-subj', '/CN=Server of a test', '-keyout', files.key, '-out', files.certificate];
  const signed = ['-CA', authority, '-CAkey', authorityKey];
  const extensions = [`subjectAltName=${names}`, 'basicConstraints=critical,CA:FALSE'].flatMap(
    (extension) => ['-addext', extension],
  );
  await runFile('openssl', [...request, ...server, ...signed, ...extensions]);
  return files;
}
