/** Every body of the JSON API against answers worked out from the document without the service's code. */
import t from 'tap';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { variedDocument } from '../../support/documents/varied-document.js';
import { expectedAnswers } from '../../support/expected/expected-answers.js';
import { wrongAnswers } from '../../support/expected/json-answers.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

void t.test('answers what the document holds, and 404 for the rest', async (t) => {
  const small = snapshotDocument({ snapshot_id: 'small', supported_windows: ['7d', '1h'] });
  const service = await startServing(t, small);
  t.equal(await wrongAnswers(service, small), '', 'a small document, with few windows');
  const windows = [...expectedAnswers(small).keys()].flatMap(
    (target) => /window=(.*)$/.exec(target)?.[1] ?? [],
  );
  t.same(new Set(windows), new Set(['1h', '7d']), 'and no others');
  for (const [name, document] of Object.entries(documents())) {
    await publishAndServe(service, document);
    t.equal(await wrongAnswers(service, document), '', name);
  }
});

function documents(): Readonly<Record<string, PlainDocument>> {
  const hidden = objectsOf(snapshotDocument(), 'stations').map((one) => ({
    ...one,
    public: false,
  }));
  return {
    'a Serbian network': variedDocument({ snapshot_id: 'serbia' }),
    'generated within an hour': variedDocument({
      snapshot_id: 'within-an-hour',
      generated_at: '2026-09-09T23:30:15.750Z',
    }),
    'no rows at all': variedDocument({ snapshot_id: 'empty', measurements: [] }),
    'nothing public': snapshotDocument({ snapshot_id: 'hidden', stations: hidden }),
  };
}
