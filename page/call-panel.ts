import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import type { CallDetail, ListedCall } from '../src/page/page-data.ts';
import { useAnswer } from './answers.ts';
import { Difference } from './difference-view.ts';
import { clockTime, dayOf, duration } from './format.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, badge, button, copy, icon, statusIcon, statusName } from './parts.ts';
import { repairGroups } from './repair-groups.ts';
import { RepairList } from './repair-list.ts';
import { type Range, type Route, addressOf, go } from './route.ts';
import { knownTo, readCall, useChanges } from './server.ts';

interface CallPanelProps {
  readonly id: string;
  readonly route: Route & { readonly range: Range };
}

/** One call: what was sent, what was used, and what the model read. */
export function CallPanel({ id, route }: CallPanelProps): Rendered {
  const { answer: detail, reload } = useAnswer(id, () => knownTo(readCall(id)));
  const reader = useMemo(
    () => ({
      onCalls(calls: readonly ListedCall[]) {
        if (calls.some((call) => call.id === id)) reload();
      },
      onReset: reload,
    }),
    [id, reload],
  );
  useChanges(reader);
  const line = detail === undefined || detail === 'unknown' ? undefined : detail.line;
  const copyLine = (): void => {
    if (line !== undefined) copy(line, 'Test case');
  };
  const tryIt = (): void => go({ view: 'try', id, range: route.range, filter: {} });
  useKeys({
    c: line === undefined ? undefined : copyLine,
    t: line === undefined ? undefined : tryIt,
  });
  if (detail === undefined)
    return html`<div class="pick"><p role="status">Loading the call …</p></div>`;
  const back = html`<a
    class="back"
    href=${addressOf({ view: 'calls', range: route.range, filter: route.filter })}
  >
    ← All calls
  </a>`;
  if (detail === 'unknown')
    return html`${back}
      <div class="pick"><p>This call is not on record any more.</p></div>`;
  const { call } = detail;
  return html`
    ${back}
    <header class="dhead">
      <div>
        <h2 class="mono">${call.tool}</h2>
        ${badge(call.state ?? call.status)}
      </div>
      <div class="acts">
        ${line === undefined ? '' : button({ label: 'Open in Try', shortcut: 't', does: tryIt })}
        ${line === undefined ? '' : button({ label: 'Copy as test case', shortcut: 'c', does: copyLine })}
        ${button({ label: 'Copy link', does: () => copy(location.href, 'Link') })}
      </div>
    </header>
    <${Facts} call=${call} />
    <${Arguments} detail=${detail} />
    <${Answers} detail=${detail} />
    <${Run} detail=${detail} route=${route} />
    <${Times} detail=${detail} />
  `;
}

const fact = (name: string, value: string | undefined, isMono = true): Rendered | '' =>
  value === undefined
    ? ''
    : html`<div>
        <dt>${name}</dt>
        <dd class=${isMono ? 'mono' : ''}>${value}</dd>
      </div>`;

function Facts({ call }: { readonly call: ListedCall }): Rendered {
  const at = Date.parse(call.at);
  return html`<dl class="meta">
    ${fact('Model', call.model)}
    <div>
      <dt>Time</dt>
      <dd><time datetime=${call.at} title=${call.at}>${dayOf(at)}, ${clockTime(at)}</time></dd>
    </div>
    ${fact('Release', call.release)} ${fact('Call', call.callId ?? call.id)}
  </dl>`;
}

const missingTexts = {
  secrets: 'The tool declares secrets: its arguments are not recorded.',
  contents: 'The log has no arguments of this call. The gateway writes them with --log-contents.',
  replaced:
    'The log was replaced or emptied after this call: its arguments are no longer in the file.',
} as const;

function Arguments({ detail }: { readonly detail: CallDetail }): Rendered {
  const { call, sent, used, repairs, issues, missing, today } = detail;
  const groups = repairGroups(repairs);
  return html`
    ${missing === undefined ? '' : html`<p class="why dim">${missingTexts[missing]}</p>`}
    ${sent === undefined ? '' : html`<${Difference} sent=${sent} used=${used} groups=${groups} issues=${issues} />`}
    ${
      today === undefined
        ? ''
        : html`<p class="why">
            It was recorded as ${statusName(call.status)}. What is shown is what this version makes
            of it: ${statusName(today)}.
          </p>`
    }
    ${
      groups.length > 0
        ? html`<h3>${groups.length === 1 ? 'One repair' : `${groups.length} repairs`}</h3>
            <${RepairList} groups=${groups} />`
        : html`<${WhyNone} call=${call} sent=${sent} />`
    }
  `;
}

function WhyNone({
  call,
  sent,
}: {
  readonly call: ListedCall;
  readonly sent: string | undefined;
}): Rendered {
  const { status, issues, rules } = call;
  if (status === 'rejected')
    return html`<p class="why">
      ${icon('rejected')} Not repaired. <span>Nothing ran.</span>
      ${issues.map((issue) => html` <code>${issue}</code>`)}
    </p>`;
  if (rules.length > 0)
    return html`<p class="why">
      ${rules.map(({ rule }) => html`<code class="rule">${rule}</code> `)}
    </p>`;
  if (sent === undefined) return html``;
  return html`<p class="why dim">Valid as sent. A valid call is never changed.</p>`;
}

function Answers({ detail }: { readonly detail: CallDetail }): Rendered {
  const { call, message, notes, result, sent } = detail;
  const noted = notes.join('\n');
  if (message === undefined && noted === '' && result === undefined && sent === undefined)
    return html``;
  return html`<div class="pair">
    <div>
      <h3>The model read</h3>
      ${
        message !== undefined
          ? html`<pre class="msg" tabindex="0">${message}</pre>`
          : noted === ''
            ? html`<p class="dim">
                The result alone${call.status === 'repaired' ? '; this repair needs no note' : ''}.
              </p>`
            : html`<pre class="msg" tabindex="0">${noted}</pre>
                <p class="dim">Then the result.</p>`
      }
    </div>
    ${
      result === undefined
        ? ''
        : html`<div>
            <h3>Result</h3>
            <pre class=${`msg ${call.status === 'failed' ? 'bad' : ''}`} tabindex="0">
${result}</pre>
          </div>`
    }
  </div>`;
}

function Run({
  detail,
  route,
}: { readonly detail: CallDetail } & Pick<CallPanelProps, 'route'>): Rendered {
  const { call, run } = detail;
  if (call.run === undefined) return html``;
  const at = run.findIndex(({ id }) => id === call.id);
  return html`
    <h3>
      Run${' '}
      <a
        href=${addressOf({ view: 'calls', range: route.range, filter: { run: call.run } })}
        title="All calls of this run"
        ><code>${call.run}</code></a
      >${' '} <small>call ${at + 1} of ${run.length}</small>
    </h3>
    <ol class="runstrip" aria-label="Calls of this run">
      ${run.map(({ id, tool, status: outcome, state }, index) => {
        const status = state ?? outcome;
        return html`<li class=${`st-${status}`}>
          <a
            href=${addressOf({ ...route, id })}
            aria-current=${index === at ? 'true' : undefined}
            title=${`${index + 1}: ${tool}, ${statusName(status)}`}
          >
            ${statusIcon(status)}<span class="vh"
              >${index + 1}: ${tool}, ${statusName(status)}</span
            >
          </a>
        </li>`;
      })}
    </ol>
  `;
}

function Times({ detail }: { readonly detail: CallDetail }): Rendered {
  const { call, attempts } = detail;
  return html`<dl class="meta times-of">
    ${fact('Took', call.milliseconds === undefined ? undefined : duration(call.milliseconds), false)}
    ${fact('Attempts', attempts === undefined ? undefined : String(attempts), false)}
    ${fact('Conversation', call.conversation)}
  </dl>`;
}
