/** A process that serves the files in `FOLDER` on `PORT`, so that a test can stop and kill the server. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';

const folder = process.env['FOLDER'] ?? '.';

const server = createServer((request, response) => {
  readFile(join(folder, normalize(request.url ?? '/'))).then(
    (bytes) => response.end(bytes),
    () => response.writeHead(404).end(),
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  process.stdout.write('listening\n');
});
