/** Appends rendered observations to the files of a local copy, and stores with each series where its bytes lie. */
import {
  FORMS,
  RECORD_END,
  runsFile,
  textFile,
  type Form,
} from '../../../snapshot/local/observations/layout.js';
import { STORED_HEAD_BYTES } from '../../../snapshot/local/observations/gzip-member.js';
import type { ListedSeries } from '../../../snapshot/local/observations/series-list.js';
import type { Run } from '../../../snapshot/local/observations/stored-series.js';
import type { FileWriter } from '../../../snapshot/local/files.js';
import type { CopyWriter } from '../../../snapshot/local/writer.js';
import type { Observations } from '../../../snapshot/domain/model.js';
import type { RenderedObservations, RenderedRun } from '../../messages.js';

export class ObservationsWriter {
  readonly #writer: CopyWriter;
  readonly #observations: Observations;
  readonly #text: FileWriter;
  readonly #runs: Readonly<Record<Form, FileWriter>>;
  readonly #series: ListedSeries[] = [];

  /** @param observations whose columns the rendered series are of. */
  constructor(writer: CopyWriter, observations: Observations) {
    this.#writer = writer;
    this.#observations = observations;
    this.#text = writer.createFile(textFile('ndjson'));
    this.#runs = {
      json: writer.createFile(runsFile('json')),
      ndjson: writer.createFile(runsFile('ndjson')),
    };
  }

  /** Appends the result of one task in one transaction; tasks come in the order of the observations. */
  append({ series, ends, text, deflate }: RenderedObservations): void {
    this.#writer.transaction(() => {
      let textOffset = this.#text.sizeBytes;
      const withOffsets = this.#createOffsets();
      let record = 0;
      for (const { runs, ...one } of series) {
        const records = one.end - one.start;
        const ownEnds = new Uint32Array(ends, record * Uint32Array.BYTES_PER_ELEMENT, records);
        const { hours, values } = this.#observations;
        this.#writer.putSeries([one.stationId, one.componentId], {
          hours: hours.subarray(one.start, one.end),
          values: values.subarray(one.start, one.end),
          ends: ownEnds,
          textOffset,
          runs: runs.map(withOffsets),
        });
        this.#series.push(one);
        textOffset += ownEnds.at(-1) ?? 0;
        record += records;
      }
      this.#text.append(new Uint8Array(text));
      for (const form of FORMS) this.#runs[form].append(new Uint8Array(deflate[form]));
    });
  }

  /** After the last task. */
  finish(): void {
    this.#writer.putSeriesList(this.#series);
  }

  /** Gives each run of one task, in their order, its offsets behind the bytes that the files have already. */
  #createOffsets(): (run: RenderedRun) => Run {
    const offsets = { json: this.#runs.json.sizeBytes, ndjson: this.#runs.ndjson.sizeBytes };
    const withOffset = (run: RenderedRun, form: Form): Run['deflate'][Form] => {
      const { bytes, crc32 } = run.deflate[form];
      const offset = offsets[form];
      offsets[form] += bytes + STORED_HEAD_BYTES + RECORD_END[form].length;
      return { offset, bytes, crc32 };
    };
    return (run) => ({
      firstRecord: run.firstRecord,
      deflate: { json: withOffset(run, 'json'), ndjson: withOffset(run, 'ndjson') },
    });
  }
}
