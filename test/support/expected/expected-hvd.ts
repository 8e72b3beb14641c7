/** Parts of expected answers of the high-value-dataset API. */

/** Members of `meta` that only the first line of a stream has. */
export const STREAM_META = {
  streaming: true,
  record_order: 'store retrieval order: station_id, parameter_code, time_start_utc',
};

/** A cell in CSV: empty for null; numbers except ids have a decimal point. */
export function cellOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  const text = JSON.stringify(value);
  if (typeof value !== 'number' || name === 'network_id') return text;
  const [digits = '', ...exponent] = text.split('e');
  return [/\./.test(digits) ? digits : `${digits}.0`, ...exponent].join('e');
}
