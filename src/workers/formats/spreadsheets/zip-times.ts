/** Removes times from a ZIP archive, so that the same content gives the same bytes. */

/** 1980-01-01T00:00, the earliest time of the format (APPNOTE.TXT §4.4.6): the upper half is the date. */
const FIRST_TIME = 0x0021_0000;

const END_OF_DIRECTORY = 0x0605_4b50;
const END_BYTES = 22;
const DIRECTORY_ENTRY = 0x0201_4b50;
const ENTRY_BYTES = 46;

/** Removes the times of an archive, in place. @throws {RangeError} for an archive with a comment, and for ZIP64. */
export function withoutTimes(archive: Uint8Array): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.byteLength - END_BYTES;
  expect(view, end, END_OF_DIRECTORY);
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    expect(view, at, DIRECTORY_ENTRY);
    view.setUint32(at + 12, FIRST_TIME, true);
    const localHeader = view.getUint32(at + 42, true);
    view.setUint32(localHeader + 10, FIRST_TIME, true);
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    at += ENTRY_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return archive;
}

function expect(view: DataView, offset: number, signature: number): void {
  if (view.getUint32(offset, true) !== signature) throw new RangeError('not the archive we made');
}
