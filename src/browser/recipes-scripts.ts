/** Script of the page of recipes: code can be copied. */
import { enhanceCopy } from './portal/copy-button.js';

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) enhanceCopy(button);
