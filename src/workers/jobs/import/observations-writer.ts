/** Appends rendered observations to the files of a local copy, and stores their positions by series. */
import {
  FORMS,
  RECORD_END,
  runsFile,
  TEXT_FILE,
  type Form,
} from '../../../snapshot/local/observations/record-layout.js';
import { STORED_HEAD_BYTES } from '../../../snapshot/local/observations/gzip-member.js';
import {
  seriesRecord,
  type ListedSeries,
} from '../../../snapshot/local/observations/series-list.js';
import type { Run } from '../../../snapshot/local/observations/stored-series.js';
import type { FileWriter } from '../../../snapshot/local/copy-files.js';
import type { CopyWriter } from '../../../snapshot/local/writer.js';
import type { Observations } from '../../../snapshot/domain/model.js';
import { OBSERVATIONS_FILE } from '../../../snapshot/domain/windows.js';
import { csvLine } from '../../../views/csv.js';
import { fieldNames } from '../../../views/hvd/fields.js';
import type { RenderedObservations, RenderedRun } from '../../messages.js';
import { BulkTextWriter, type WrittenFile } from './bulk-file-writer.js';

export class ObservationsWriter {
  readonly #writer: CopyWriter;
  readonly #observations: Observations;
  readonly #text: FileWriter;
  readonly #runs: Readonly<Record<Form, FileWriter>>;
  readonly #series: ListedSeries[] = [];
  /** The bulk CSV file, from which `/observations.csv` is answered too. */
  readonly #csv: BulkTextWriter;

  /** @param observations columns of hours and values to which the rendered series refer. */
  constructor(writer: CopyWriter, observations: Observations) {
    this.#writer = writer;
    this.#observations = observations;
    this.#text = writer.createFile(TEXT_FILE.ndjson);
    this.#runs = {
      json: writer.createFile(runsFile('json')),
      ndjson: writer.createFile(runsFile('ndjson')),
    };
    this.#csv = new BulkTextWriter(writer, `${OBSERVATIONS_FILE}.csv`);
    writer.transaction(() => {
      this.#csv.append(Buffer.from(csvLine(fieldNames('observations'))));
    });
  }

  /** Appends the result of one task in one transaction; tasks come in the order of the observations. */
  append({ series, ends, text, deflate, csv }: RenderedObservations): void {
    this.#writer.transaction(() => {
      let textOffset = this.#text.sizeBytes;
      let csvOffset = this.#csv.sizeBytes;
      const withOffsets = this.#createOffsets();
      let record = 0;
      for (const { runs, ...one } of series) {
        const records = one.end - one.start;
        const ownEnds = new Uint32Array(
          ends,
          2 * record * Uint32Array.BYTES_PER_ELEMENT,
          2 * records,
        );
        const hours = this.#observations.hours.subarray(one.start, one.end);
        const values = this.#observations.values.subarray(one.start, one.end);
        this.#writer.putSeries([one.stationId, one.componentId], {
          hours,
          values,
          ends: ownEnds,
          textOffset,
          csvOffset,
          runs: runs.map(withOffsets),
        });
        this.#series.push(one);
        textOffset += ownEnds.at(-2) ?? 0;
        csvOffset += ownEnds.at(-1) ?? 0;
        record += records;
      }
      this.#text.append(new Uint8Array(text));
      for (const form of FORMS) this.#runs[form].append(new Uint8Array(deflate[form]));
      this.#csv.append(new Uint8Array(csv.text), csv.deflated);
    });
  }

  /** Called after the last task. @returns the bulk CSV file. */
  finish(): WrittenFile {
    this.#writer.putRecord('series', seriesRecord(this.#series));
    return this.#csv.finish();
  }

  /** @returns a function that gives each run of a task, in order, its offsets in the files. */
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
