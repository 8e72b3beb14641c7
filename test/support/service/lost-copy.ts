/** Preloaded (`node --import`): removes the data of the copy of snapshot `LOST_COPY` just before a front opens it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const lost = `${process.env['LOST_COPY'] ?? ''}~`;
const emit: unknown = Reflect.get(process, 'emit');

// Patches `emit`, as a listener would take messages before the process itself listens.
Reflect.set(process, 'emit', function (this: unknown, ...parameters: unknown[]): unknown {
  const [event, message] = parameters;
  const { kind, directory }: Readonly<Record<string, unknown>> = {
    ...(event === 'message' ? (message as object) : {}),
  };
  if (kind === 'activate' && String(directory).includes(`/${lost}`)) {
    rmSync(join(String(directory), 'data.mdb'), { force: true });
  }
  const heard: unknown = Reflect.apply(emit as () => unknown, this, parameters);
  return heard;
});
