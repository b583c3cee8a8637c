import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { sumOf } from '../src/page/call-numbers.ts';
import {
  type Alarms,
  type CallFilter,
  type CallNumbers,
  type CallStatus,
  callStatuses,
} from '../src/page/page-data.ts';
import { CallsChart } from './calls-chart.ts';
import { CostTable } from './cost-table.ts';
import { counted, stepLengthName, wholeNumber } from './format.ts';
import { HeatMap, type HeatMetric, heatMetrics } from './heat-map.ts';
import { useReadAgain } from './numbers.ts';
import { type Rendered, badge, icon } from './parts.ts';
import { HintTable } from './hint-table.ts';
import { MistakeTable } from './mistake-table.ts';
import { ReleaseTable } from './release-table.ts';
import { type Range, type Route, addressOf, rangeNames, sinceOf } from './route.ts';
import { readNumbers } from './server.ts';
import { percent } from './shares.ts';

interface OverviewProps {
  readonly route: Route & { readonly range: Range };
  readonly isLive: boolean;
  readonly waiting: number;
  readonly alarms: Alarms | undefined;
}

export function OverviewView({
  route: { range },
  isLive,
  waiting,
  alarms,
}: OverviewProps): Rendered {
  const numbers = useReadAgain(() => readNumbers(sinceOf(range, Date.now())), range, isLive);
  const [metric, setMetric] = useState<HeatMetric>('repaired + rejected');
  const [hidden, setHidden] = useState<ReadonlySet<CallStatus>>(new Set());
  const title = html`<h1 class="vh">Overview, ${rangeNames[range].toLowerCase()}</h1>`;
  if (numbers === undefined)
    return html`${title}
      <div class="pick"><p role="status">Counting the calls …</p></div>`;
  if (sumOf(numbers.total) === 0) return html`${title}<${NoCalls} range=${range} />`;
  const { total } = numbers;
  const toggle = (status: CallStatus): void =>
    setHidden(hidden.symmetricDifference(new Set([status])));
  const list = (filter: CallFilter): string => addressOf({ view: 'calls', range, filter });
  return html`
    ${title}
    <${Figures} numbers=${numbers} list=${list} />
    <div class="cols">
      <section class="panel a-chart" aria-labelledby="h-chart">
        <header>
          <h2 id="h-chart">
            Calls over time${' '}
            <small>
              in steps of ${stepLengthName(numbers.stepMs)}; below: the share that was not valid,
              over 5 steps
            </small>
          </h2>
          <div class="legend" role="group" aria-label="Shown statuses">
            ${callStatuses.map(
              (status) =>
                html`<button
                  type="button"
                  aria-pressed=${!hidden.has(status)}
                  onClick=${() => toggle(status)}
                >
                  <i class=${`sw f-${status}`}></i>${status} <b>${wholeNumber(total[status])}</b>
                </button>`,
            )}
          </div>
        </header>
        <${CallsChart} numbers=${numbers} hidden=${hidden} />
      </section>
      <div class="a-side">
        <${Waiting} waiting=${waiting} alarms=${alarms} range=${range} />
        <section class="panel a-rel" aria-labelledby="h-rel">
          <header>
            <h2 id="h-rel">By release</h2>
            <small>95% intervals</small>
          </header>
          <${ReleaseTable} releases=${numbers.releases} list=${list} />
        </section>
      </div>
      <section class="panel a-heat" aria-labelledby="h-heat">
        <header>
          <h2 id="h-heat">What each model gets wrong, by tool</h2>
          <div class="seg" role="group" aria-label="Share of">
            ${heatMetrics.map(
              (one) =>
                html`<button
                  type="button"
                  aria-pressed=${one === metric}
                  onClick=${() => setMetric(one)}
                >
                  ${one}
                </button>`,
            )}
          </div>
        </header>
        <${HeatMap} cells=${numbers.cells} metric=${metric} range=${range} />
      </section>
      <section class="panel a-rules" aria-labelledby="h-rules">
        <${Bars} numbers=${numbers} list=${list} />
      </section>
      <${MistakeTable} mistakes=${numbers.mistakes} />
      <${CostTable} isLive=${isLive} />
      <${HintTable} isLive=${isLive} />
    </div>
  `;
}

interface FiguresProps {
  readonly numbers: CallNumbers;
  readonly list: (filter: CallFilter) => string;
}

function Figures({ numbers: { total, before, cells }, list }: FiguresProps): Rendered {
  const calls = sumOf(total);
  const models = new Set(cells.map(({ model }) => model)).size;
  const tools = new Set(cells.map(({ tool }) => tool)).size;
  const allBefore = before === undefined ? 0 : sumOf(before);
  return html`<dl class="strip five">
    <div class="fig">
      <dt>Calls</dt>
      <dd>
        <b><a href=${list({})}>${wholeNumber(calls)}</a></b>
        <small>${counted(models, 'model')}, ${counted(tools, 'tool')}</small>
      </dd>
    </div>
    ${(['repaired', 'rejected', 'failed'] as const).map(
      (status) =>
        html`<div class="fig">
          <dt>${badge(status)}</dt>
          <dd>
            <b>${percent(total[status], calls)}</b><span>%</span>
            <small>
              <a href=${list({ status })}>${wholeNumber(total[status])}</a
              >${' of '}${wholeNumber(calls)}<br />
              ${
                before === undefined || allBefore === 0
                  ? html`<span class="dim">before: no calls</span>`
                  : html`<span title="The same time before"
                      >before: ${percent(before[status], allBefore)}%</span
                    >`
              }
            </small>
          </dd>
        </div>`,
    )}
    <div class="fig">
      <dt>Turns saved</dt>
      <dd><b>${wholeNumber(total.repaired)}</b><small>one for each repaired call</small></dd>
    </div>
  </dl>`;
}

interface WaitingProps {
  readonly waiting: number;
  readonly alarms: Alarms | undefined;
  readonly range: Range;
}

function Waiting({ waiting, alarms, range }: WaitingProps): Rendered {
  const count = alarms?.alarms.length ?? 0;
  return html`<section class="panel a-need" aria-labelledby="h-need">
    <header><h2 id="h-need">Waiting for you</h2></header>
    <ul class="need">
      <li>
        <a href=${addressOf({ view: 'decide', filter: {} })}>
          <span
            >${icon('waiting')}<b>${waiting}</b>
            ${waiting === 1 ? 'call to decide' : 'calls to decide'}</span
          >
        </a>
      </li>
      <li>
        <a href=${addressOf({ view: 'alarms', range, filter: {} })}>
          <span>${icon('failed')}<b>${count}</b> ${count === 1 ? 'alarm' : 'alarms'}</span>
          <small
            >${alarms?.alarms[0] === undefined ? '' : html`<code>${alarms.alarms[0].tool}</code>`}</small
          >
        </a>
      </li>
    </ul>
  </section>`;
}

const mostRules = 12;
const mostIssues = 10;

function Bars({ numbers: { rules, issues, total }, list }: FiguresProps): Rendered {
  const [most = { calls: 0 }] = rules;
  const [mostIssue = { calls: 0 }] = issues;
  return html`
    <header>
      <h2 id="h-rules">By rule</h2>
      <small>share of ${counted(total.repaired, 'repaired call')}; a call can count twice</small>
    </header>
    <ul class="bars">
      ${rules.slice(0, mostRules).map(({ rule, calls }) =>
        bar({
          label: html`<code>${rule}</code>`,
          calls,
          of: total.repaired,
          most: most.calls,
          status: 'repaired',
          href: list({ rule, status: 'repaired' }),
        }),
      )}
    </ul>
    ${rules.length === 0 ? html`<p class="dim">No call was repaired.</p>` : moreThan(mostRules, rules)}
    <header class="sub">
      <h2>By issue</h2>
      <small>share of ${counted(total.rejected, 'rejected call')}</small>
    </header>
    <ul class="bars">
      ${issues.slice(0, mostIssues).map(({ tool, issue, calls }) =>
        bar({
          label: html`<code>${tool} <span>${issue}</span></code>`,
          calls,
          of: total.rejected,
          most: mostIssue.calls,
          status: 'rejected',
          href: list({ tool, issue, status: 'rejected' }),
        }),
      )}
    </ul>
    ${issues.length === 0 ? html`<p class="dim">No call was rejected.</p>` : moreThan(mostIssues, issues)}
  `;
}

const moreThan = (most: number, all: readonly unknown[]): Rendered | string =>
  all.length > most ? html`<p class="dim">${all.length - most} more are not shown.</p>` : '';

interface BarProps {
  readonly label: Rendered;
  readonly calls: number;
  readonly of: number;
  readonly most: number;
  readonly status: CallStatus;
  readonly href: string;
}

const bar = ({ label, calls, of, most, status, href }: BarProps): Rendered =>
  html`<li>
    <a href=${href}>
      <span class="bl">${label}</span>
      <span class="bt"
        ><i class=${`f-${status}`} style=${{ width: `${Math.max(1, (calls / most) * 100)}%` }}></i
      ></span>
      <span class="bn">${wholeNumber(calls)}</span>
      <span class="bp">${percent(calls, of)}%</span>
    </a>
  </li>`;

const NoCalls = ({ range }: { readonly range: Range }): Rendered =>
  html`<section class="empty">
    <h2>No calls${range === 'all' ? '' : ` in the ${rangeNames[range].toLowerCase()}`}</h2>
    <p>New ones appear here within seconds.</p>
  </section>`;
