import { html } from 'htm/preact';
import type { DecisionCase } from '../src/page/decision-data.ts';
import { type Rendered, badge, button, copy } from './parts.ts';

/** The name of the tool, what it does to the world, and why nobody can decide here. */
export const DecisionHead = ({ decision }: { readonly decision: DecisionCase }): Rendered => {
  const { tool, kind, effects } = decision;
  return html`<header class="dhead">
      <div>
        <h2 id="h-case" class="mono">${tool}</h2>
        ${badge(kind === 'doubt' ? 'in_doubt' : 'waiting')}
        ${effects === undefined ? '' : html`<span class=${`tag ${effects}`}>${effects}</span>`}
      </div>
    </header>
    <${Obstacle} decision=${decision} />`;
};

const obstacles = {
  no_tools:
    'This page reads a journal and has no tools, so nothing can be decided on it. Decide on the page of the application, or in its code:',
  secrets:
    'The call has declared secrets, which no journal keeps. Decide in the code that has the whole approval, or all arguments:',
  no_tool: 'The application has no tool of this name any more. Register it, and decide then.',
} as const;

function Obstacle({ decision }: { readonly decision: DecisionCase }): Rendered {
  const { obstacle } = decision;
  if (obstacle === undefined) return html``;
  const code = codeOf(decision);
  return html`<div class="obstacle">
    <p class="why">${obstacles[obstacle]}</p>
    ${
      obstacle === 'no_tool'
        ? ''
        : html`<pre class="msg" tabindex="0">${code}</pre>
            ${button({ label: 'Copy code', does: () => copy(code, 'Code') })}`
    }
  </div>`;
}

/** What decides in the application's code. */
function codeOf({ id, kind, approval, tenant, obstacle }: DecisionCase): string {
  const options = tenant === undefined ? '' : `, { tenant: ${JSON.stringify(tenant)} }`;
  const first = obstacle === 'secrets' ? 'approval' : JSON.stringify(approval ?? '');
  return kind === 'approval'
    ? `await tools.resolveApproval(${first}, { decision: 'approve' }${options});`
    : `await tools.settle(${JSON.stringify(id)}, { decision: 'give_up' }${options});`;
}
