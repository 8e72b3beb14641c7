/** Script of the page of recipes: code can be copied. */
import { improveCopy } from './portal/copy-button.js';

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) improveCopy(button);
