/** Renders the observations of a snapshot as a Parquet file in memory, of about two bytes a row. */
import { inObservationOrder } from '../../../snapshot/domain/observation-order.js';
import { utcDateTime } from '../../../snapshot/domain/windows.js';
import { licenseOf } from '../../../views/operator-links.js';
import { joinBytes } from '../../formats/answers.js';
import { observationsParquet } from '../../formats/parquet/observations-parquet.js';
import type { RenderedParquet, RenderSeriesTask } from '../../messages.js';

export function renderParquet({
  header,
  components,
  observations,
}: RenderSeriesTask): RenderedParquet {
  const series = inObservationOrder(observations.series, components);
  const metadata = {
    snapshot_id: header.snapshotId,
    generated_at_utc: utcDateTime(header.generatedAtMs),
    license: licenseOf().name,
  };
  const chunks = observationsParquet({ header, observations, series, metadata });
  return { parquet: joinBytes([...chunks]) };
}
