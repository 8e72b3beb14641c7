/** Markup by the tag: values are escaped once, and absent ones are empty. */
import t from 'tap';
import { html, raw } from '../../src/views/html.js';

void t.test('values are escaped, markup is not, and what is not there is empty', async (t) => {
  const escaped = '&lt;b a=&#34;1&#34; b=&#39;2&#39;&gt;&amp;';
  t.equal(html`<p title="${`<b a="1" b='2'>&`}"></p>`.text, `<p title="${escaped}"></p>`);
  t.equal(html`${html`<i>${'&'}</i>`}${raw('<hr>')}${0}`.text, '<i>&amp;</i><hr>0');
  t.equal(html`[${undefined}${false}${''}${[]}]`.text, '[]');
  t.equal(html`${['<', html`<br>`, undefined, [1, '>']]}`.text, '&lt;<br>1&gt;');
});
