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
  const bodiesOf = (changed: Partial<SystemTexts>, fronts = ONE): number =>
    systemLimits({ ...TEXTS, ...changed }, fronts).largeBodiesMax;
  t.equal(bodiesOf({}), 128);
  t.equal(bodiesOf({}, { ...ONE, processes: 4 }), 32, 'all fronts together');
  t.equal(bodiesOf({ tcpWmem: '4096 16384 262144' }), 2048, 'as the documentation advises');
  // Where the kernel does not say, its own rule counts.
  const silent = { tcpWmem: undefined, tcpMem: undefined };
  t.equal(bodiesOf(silent), 128);
  t.equal(bodiesOf({ ...silent, memory: GIB / 16 }), 4, 'some, at least');
  t.equal(bodiesOf({ tcpMem: 'x', tcpWmem: '' }), 128);
  t.end();
});

void t.test('clients have the open files that a front does not need itself', (t) => {
  const filesOf = (texts: SystemTexts, fronts = ONE): readonly number[] => {
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
