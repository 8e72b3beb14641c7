/** Limits of a front, from the kernel's figures or its own formulas. */
import t from 'tap';
import { systemLimits, type SystemTexts } from '../../src/supervisor/limits.js';

const GIB = 1024 ** 3;

const TEXTS: SystemTexts = {
  tcpWmem: '4096\t16384\t4194304\n',
  tcpMem: '196608\t262144\t393216\n',
  limits: [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             31000                31000                processes ',
    'Max open files            1024                 524288               files     ',
  ].join('\n'),
  memory: 16 * GIB,
};

const ONE = { processes: 1, threads: 1 };

void t.test('large answers may hold half of what the kernel has for sockets', (t) => {
  t.equal(systemLimits(TEXTS, ONE).largeBodiesMax, 128);
  t.equal(systemLimits(TEXTS, { ...ONE, processes: 4 }).largeBodiesMax, 32, 'all fronts together');
  const small = { ...TEXTS, tcpWmem: '4096 16384 262144' };
  t.equal(systemLimits(small, ONE).largeBodiesMax, 2048, 'as the documentation advises');
  t.end();
});

void t.test('where the kernel does not say, its own rule counts', (t) => {
  const silent = { ...TEXTS, tcpWmem: undefined, tcpMem: undefined };
  t.equal(systemLimits(silent, ONE).largeBodiesMax, 128);
  t.equal(systemLimits({ ...silent, memory: GIB / 16 }, ONE).largeBodiesMax, 4, 'some, at least');
  t.equal(systemLimits({ ...TEXTS, tcpMem: 'x', tcpWmem: '' }, ONE).largeBodiesMax, 128);
  t.end();
});

void t.test('clients have the open files that a front does not need itself', (t) => {
  const filesOf = (
    texts: SystemTexts,
    fronts = ONE,
  ): readonly [connections: number, bodies: number] => {
    const { connectionsMax, fileBodiesMax } = systemLimits(texts, fronts);
    return [connectionsMax, fileBodiesMax];
  };
  t.same(filesOf(TEXTS), [1024 - 36 - 124, 124], 'an eighth for answers that are read from files');
  t.same(filesOf(TEXTS, { processes: 2, threads: 8 }), [1024 - 64 - 64, 64], 'or all large ones');
  t.same(filesOf({ ...TEXTS, limits: undefined }), filesOf(TEXTS));
  t.same(filesOf({ ...TEXTS, limits: 'Max open files 256 256 files' }), [220 - 28, 28]);
  t.same(filesOf({ ...TEXTS, limits: 'Max open files 10 10 files' }), [1, 1]);
  t.end();
});
