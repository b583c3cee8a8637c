// The view Try alone, as static files: no server, and nothing on record.
import { html } from 'htm/preact';
import { render } from 'preact';
import { brandMark } from './brand.ts';
import type { Rendered } from './parts.ts';
import { Toast } from './toast.ts';
import { TryView } from './try-view.ts';
import './style.css';

const TryAlone = (): Rendered => html`
  <header class="top">
    <a class="brand" href="../" aria-label="toolmend, the documentation"
      >${brandMark()}<span>toolmend</span></a
    >
  </header>
  <main id="main" tabindex="-1" class="v-try"><${TryView} /></main>
  <${Toast} />
`;

const place = document.querySelector('#app');
if (place !== null) {
  document.body.classList.add('alone');
  render(html`<${TryAlone} />`, place);
}
