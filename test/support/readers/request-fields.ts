/** The header fields of a request that has none but `Host`. */
import { readRequestFields } from '../../../src/http/wire/request-fields.js';

export const FIELDS = readRequestFields({
  forEach(readField) {
    readField('host', 'a.example');
  },
});
