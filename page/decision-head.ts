import { html } from 'htm/preact';
import type { DecisionCase } from '../src/page/decision-data.ts';
import { useNow } from './decisions.ts';
import { timeLeft } from './format.ts';
import { type Rendered, badge, button, copy, icon } from './parts.ts';

/** The name of the tool, what it does to the world, and why nobody can decide here. */
export const DecisionHead = ({ decision }: { readonly decision: DecisionCase }): Rendered => {
  const { tool, kind, effects } = decision;
  return html`<header class="dhead">
      <div>
        <h2 id="h-case" class="mono">${tool}</h2>
        ${kind === 'question' ? html`<span class="st st-waiting">${icon('question')}asks</span>` : badge(kind === 'doubt' ? 'in_doubt' : 'waiting')}
        ${effects === undefined ? '' : html`<span class=${`tag ${effects}`}>${effects}</span>`}
      </div>
    </header>
    <${Obstacle} decision=${decision} />`;
};

const obstacles = {
  no_tools:
    'This page reads a journal and has no tools, so nothing can be decided on it. Decide on the page of the application, or in its code:',
  secrets:
    'The call has declared secrets, which no journal keeps. Decide in the code that has the whole approval or question, or all arguments:',
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
function codeOf({ id, kind, approval, question, tenant, obstacle }: DecisionCase): string {
  const options = tenant === undefined ? '' : `, { tenant: ${JSON.stringify(tenant)} }`;
  const first = (name: string, pending: string | undefined): string =>
    obstacle === 'secrets' ? name : JSON.stringify(pending ?? '');
  switch (kind) {
    case 'approval':
      return `await tools.resolveApproval(${first('approval', approval)}, { decision: 'approve' }${options});`;
    case 'question':
      return `await tools.answerQuestion(${first('question', question?.id)}, { action: 'accept', content: { … } }${options});`;
    default:
      return `await tools.settle(${JSON.stringify(id)}, { decision: 'give_up' }${options});`;
  }
}

interface ExpiryProps {
  readonly expiresAt: string | undefined;
  /** What a decision does then. */
  readonly afterwards: string;
}

export function Expiry({ expiresAt, afterwards }: ExpiryProps): Rendered {
  const now = useNow();
  if (expiresAt === undefined) return html``;
  const left = Date.parse(expiresAt) - now;
  return left > 0
    ? html`<span class="exp">expires in <b class="num">${timeLeft(left)}</b></span>`
    : html`<span class="exp">It has expired: ${afterwards}.</span>`;
}
