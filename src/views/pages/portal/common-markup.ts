/** Markup that several pages of the portal share. */
import type { Messages } from '../../../texts/fluent-messages.js';
import { html, type Markup } from '../../html.js';
import type { viewLayout } from '../layout.js';

export type Layout = ReturnType<typeof viewLayout>;

export function stylesMarkup(layout: Layout): Markup {
  return html`<link rel="stylesheet" href="${layout.assets['portal.css']}">
`;
}

export function noticeMarkup(notice: Readonly<Record<'heading' | 'text', string>>): Markup {
  return html`
<div class="notice-page">
<h1>${notice.heading}</h1>
<p>${notice.text}</p>
</div>
`;
}

/** The offer of a newer snapshot, which a script shows. */
export function renewalMarkup(texts: Messages): Markup {
  return html`<div class="renewal" role="status"><p hidden>${texts('new-values')} <button type="button">${texts('show-new')}</button></p></div>
`;
}

export interface Choice {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** @param name CSS class of the choices. */
export function choicesMarkup(name: string, label: string, choices: readonly Choice[]): Markup {
  return html`<nav class="chips ${name}" aria-label="${label}">${choices.map(
    (one) => html`
<a href="${one.href}"${one.isCurrent && html` aria-current="true"`}>${one.label}</a>`,
  )}
</nav>`;
}
