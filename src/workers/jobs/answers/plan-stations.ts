/** `GET /api/v1/stations`: the finished records that the filters leave (`docs/http-api.md, "Bounding boxes"`). */
import type { FilterableStation } from '../../../snapshot/local/records.js';
import type { BoundingBox } from '../../../views/hvd/bounding-box.js';
import { openSnapshot } from '../../open-snapshot.js';
import { planText } from '../../formats/text-plan.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { PlanStationsTask } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planStations(task: PlanStationsTask): Plan {
  const texts = openSnapshot(task.location)
    .reader.stations()
    .filter((station) => passes(station, task))
    .map(({ text }) => text);
  return planText(`[${texts.join(',')}]`, { gzip: task.gzip, records: texts.length });
}

function passes(station: FilterableStation, wanted: PlanStationsTask): boolean {
  const { active, municipality, stationType, box } = wanted;
  return (
    (active === undefined || station.active === active) &&
    (municipality === undefined || isSameName(station.municipality, municipality)) &&
    (stationType === undefined || station.stationType === stationType) &&
    (box === undefined || isInside(station, box))
  );
}

/** Whole names, whatever their case; of one that is written in two ways, either. */
function isSameName(name: string | undefined, wanted: string): boolean {
  return name !== undefined && normalizedForSearch(name) === normalizedForSearch(wanted);
}

function normalizedForSearch(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Edges count as inside; a station without coordinates is outside every box. */
function isInside({ latitude, longitude }: FilterableStation, box: BoundingBox): boolean {
  return (
    latitude !== undefined &&
    longitude !== undefined &&
    longitude >= box.west &&
    longitude <= box.east &&
    latitude >= box.south &&
    latitude <= box.north
  );
}
