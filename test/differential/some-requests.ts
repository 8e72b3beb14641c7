/** Some seconds of random requests, by which `npm run mutants` tries each change of the code. */
import t from 'tap';
import { fuzzRequests } from './session.js';

await fuzzRequests(t, { seed: 54, seconds: 8 });
