/**
 * Words that stopped readers, each with the expected one. Comments and documents are checked against the table
 * (`plain-english.mjs`); a regular expression covers all forms of a word.
 */

/** Beginnings of a comment that leave its noun out. */
export const BEGINNINGS = [
  [/^Of\b/, 'the noun: "Memory of a front", not "Of a front"'],
  [/^(?:Those|Whom?|Whose|Whoever|That)\b/, 'the noun that the sentence is about'],
  [/^What\b(?![^.]*\?)/, 'the thing by its name, or a verb'],
  [/^The same\b/, 'what it is: "The rows as CSV", not "The same as CSV"'],
  [/^To be\b/, 'when it happens: "Called when", not "To be called when"'],
];

/** Anywhere in a comment or in a document. */
export const PHRASES = [
  [/\b(?:has|have|had) none\b/i, '"without one", "is missing"'],
  [/\b(?:is|are|was|were) none\b/i, '"is missing", "is malformed", "is not"'],
  [/\bany more\b/i, '"no longer"'],
  [/\bin place of\b/i, '"instead of", "replaces"'],
  [/\bso many\b/i, 'the number, or "a limited number of"'],
  [/\bwho(?:m|se)?ever\b/i, 'the noun: "the client", "a process that"'],
  [/\bthat there (?:are|is) to be\b/i, '"configured"'],
  [/\bunwary\b/i, '"known pitfalls"'],
  [/\bbelieve X-Forwarded/i, '"trust X-Forwarded"'],
  [/\bwish(?:es)?\b/i, '"preferences" or "request"'],
  [/\btall(?:y|ies)\b/i, '"counters"'],
  [/\bstandby\b/i, '"warm process"'],
  [/\brehears\w+/i, '"warm-up"'],
  [/\bborrow(?:s|ed)?\b/i, '"open" and "close"'],
  [/\bgives? back\b/i, '"close", "release" or "free"'],
  [/\bwhereabouts\b/i, '"availability" or "location"'],
  [/\b(?:lent|strangers'?)\b/i, '"held by", "foreign"'],
  [/\bcaught up\b/i, '"current"'],
  [/\bovertaken\b/i, '"superseded"'],
  [/\byoung deaths?\b/i, '"early exits"'],
  [/\bmay ?pass\b/i, '"is transient"'],
  [/\bforgiv\w+/i, '"mark healthy"'],
  [/\bleftovers\b/i, '"orphaned"'],
  [/\bfolded\b/i, '"normalized"'],
  [/\bobey(?:s|ed)?\b/i, '"handle"'],
  [/\bprove[sd]?\b/i, '"verify"'],
];
