/** The script of the page of recipes: buttons copy the code. */
import { enhanceCopy } from './portal/copy-button.js';

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) enhanceCopy(button);
