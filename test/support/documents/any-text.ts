/** Any Unicode text. fast-check's own unit `binary` lists all code points first, which takes each process a second. */
import fc from 'fast-check';

/** Surrogates are no characters. */
const GAP = { from: 0xd800, size: 0x800 };

const character = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff - GAP.size }))
  .map((at) => String.fromCodePoint(at < GAP.from ? at : at + GAP.size));

export function anyText(
  constraints: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
