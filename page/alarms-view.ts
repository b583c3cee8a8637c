import { html } from 'htm/preact';
import { sumOf } from '../src/page/call-numbers.ts';
import { runOf } from '../src/page/alarms.ts';
import type {
  Alarm,
  Alarms,
  CallFilter,
  ListedCall,
  RepeatedRejection,
  RisenRate,
  SilentRun,
} from '../src/page/page-data.ts';
import { shareTicks } from './axis-ticks.ts';
import { counted, wholeNumber } from './format.ts';
import type { AlarmMarking } from './alarm-marking.ts';
import type { MarkedAlarm } from './alarm-marks.ts';
import { type Rendered, button, icon, statusIcon, timeOf, toast } from './parts.ts';
import { type Range, type Route, addressOf } from './route.ts';
import { intervalOf, intervalText, percent } from './shares.ts';

const kinds: Readonly<Record<Alarm['kind'], string>> = {
  silent: 'Rejected, then silent',
  repeated: 'The same rejection, repeated',
  rate: 'A rate left its interval after a release',
};

interface AlarmsProps {
  readonly route: Route & { readonly range: Range };
  /** Undefined: they are being looked for. */
  readonly alarms: Alarms | undefined;
  /** Alarms of this time that are done or muted. */
  readonly marked: readonly MarkedAlarm[];
  readonly marking: AlarmMarking;
}

export function AlarmsView(props: AlarmsProps): Rendered {
  const { route, alarms: looked, marked, marking } = props;
  const { range } = route;
  if (looked === undefined)
    return html`<h1 class="pt">Alarms</h1>
      <div class="pick"><p role="status">Looking for alarms …</p></div>`;
  const { alarms, runs, release } = looked;
  return html`
    <h1 class="pt">Alarms <small>${alarms.length} open in this time</small></h1>
    <div class="alarms">
      <div class="al-list">
        ${
          alarms.length === 0
            ? html`<section class="empty">
                <h2>No alarms</h2>
                <p>Looked at ${counted(runs, 'run')} with a rejected call.</p>
              </section>`
            : alarms.map(
                (alarm, at) =>
                  html`<article class="alarm" aria-labelledby=${`al${at}`}>
                    <header>
                      <span class="kind">${icon('failed')}${kinds[alarm.kind]}</span
                      >${timeOf(alarm.at)}
                    </header>
                    <${AlarmText} alarm=${alarm} id=${`al${at}`} />
                    <div class="acts">
                      <a
                        class="btn"
                        href=${addressOf({ view: 'calls', range, filter: filterOf(alarm) })}
                        >See the calls</a
                      >
                      <${MarkButtons} alarm=${alarm} release=${release} marking=${marking} />
                    </div>
                  </article>`,
              )
        }
      </div>
      <aside class="facts" aria-label="What is watched">
        <h3>What is watched</h3>
        <ul class="watch">
          <li>
            <b>Rejected, then silent</b
            ><small>a run’s last call was rejected, and none came for 10 min</small>
          </li>
          <li><b>The same rejection</b><small>5 times in a row in one run</small></li>
          <li>
            <b>A rate after a release</b
            ><small
              >its 95% interval lies above the one before; 30 calls or more on both sides</small
            >
          </li>
        </ul>
        <p class="dim">Looked at ${counted(runs, 'run')} with a rejected call.</p>
        <${Earlier} marked=${marked} marking=${marking} />
        <p class="dim">Mute and Done are kept in this browser.</p>
      </aside>
    </div>
  `;
}

interface MarkButtonsProps {
  readonly alarm: Alarm;
  readonly release: string | undefined;
  readonly marking: AlarmMarking;
}

function MarkButtons({ alarm, release, marking }: MarkButtonsProps): Rendered {
  return html`${
    release === undefined
      ? ''
      : button({
          label: 'Mute until the next release',
          does: () => {
            marking.mute(alarm, release);
            afterMark(`Muted for the release ${release}.`);
          },
        })
  }${button({
    label: 'Done',
    does: () => {
      marking.markDone(alarm);
      afterMark('Done. It comes back if it happens again.');
    },
  })}`;
}

/** The button is gone: the next Tab begins at the list. */
function afterMark(text: string): void {
  toast(text);
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}

function Earlier({ marked, marking }: Pick<AlarmsProps, 'marked' | 'marking'>): Rendered {
  if (marked.length === 0) return html``;
  return html`<h3>Earlier</h3>
    <ul class="past">
      ${marked.map(
        ({ alarm, mark }) =>
          html`<li>
            ${timeOf(alarm.at)}
            <span><code>${alarm.tool}</code>: ${kinds[alarm.kind].toLowerCase()}</span>
            <span class="acts"
              ><em>${mark}</em> ${button({
                label: 'Show again',
                does: () => {
                  marking.showAgain(alarm);
                  afterMark('The alarm is shown again.');
                },
              })}</span
            >
          </li>`,
      )}
    </ul>`;
}

function filterOf(alarm: Alarm): CallFilter {
  if (alarm.kind === 'rate')
    return { tool: alarm.tool, status: alarm.status, release: alarm.after.release };
  const run = alarm.calls.at(-1)?.run;
  return run === undefined ? { tool: alarm.tool, status: 'rejected' } : { run };
}

function AlarmText({ alarm, id }: { readonly alarm: Alarm; readonly id: string }): Rendered {
  switch (alarm.kind) {
    case 'rate':
      return html`<${Rate} alarm=${alarm} id=${id} />`;
    case 'repeated':
      return html`<${Repeated} alarm=${alarm} id=${id} />`;
    default:
      return html`<${Silent} alarm=${alarm} id=${id} />`;
  }
}

function Rate({ alarm, id }: { readonly alarm: RisenRate; readonly id: string }): Rendered {
  const { tool, status, before, after } = alarm;
  const text = (counts: RisenRate['after']): Rendered =>
    html`with${' '}<code>${counts.release}</code>${` ${wholeNumber(counts[status])} of ${wholeNumber(sumOf(counts))}, ${percent(counts[status], sumOf(counts))}% `}<small
        >(${intervalText(counts, status)})</small
      >`;
  return html`<h2 id=${id}>
      <code>${tool}</code> is ${status} more often since <code>${after.release}</code>
    </h2>
    <${Forest} alarm=${alarm} />
    <p>Calls that were ${status}: ${text(before)}; ${text(after)}.</p>`;
}

const width = 420;

function Forest({ alarm: { status, before, after } }: { readonly alarm: RisenRate }): Rendered {
  const most = Math.min(1, intervalOf(after, status).most * 1.15);
  const left = (rate: number): number => 70 + (rate / most) * (width - 90);
  const line = (counts: RisenRate['after'], top: number, kind: string): Rendered => {
    const { least, most: highest } = intervalOf(counts, status);
    return html`<text class="ax" x="0" y=${top + 4}>${counts.release.slice(0, 10)}</text>
      <line class="ax" x1="70" x2=${width - 20} y1=${top} y2=${top} />
      <line class=${`wh ${kind}`} x1=${left(least)} x2=${left(highest)} y1=${top} y2=${top} />
      <circle
        class=${`dt ${kind}`}
        cx=${left(counts[status] / sumOf(counts))}
        cy=${top}
        r="4.5"
      />`;
  };
  return html`<svg
    class="forest wide"
    viewBox=${`0 0 ${width} 66`}
    width=${width}
    height="66"
    role="img"
    aria-label=${`With ${before.release} ${intervalText(before, status)} percent, with ${after.release} ${intervalText(after, status)} percent`}
  >
    ${line(before, 12, '')} ${line(after, 34, 'bad')}
    ${shareTicks(most).map(
      (share) =>
        html`<text class="ax" x=${left(share)} y="60" text-anchor="middle"
          >${Number((share * 100).toFixed(2))}%</text
        >`,
    )}
  </svg>`;
}

const mostShown = 12;

const Strip = ({ calls }: { readonly calls: readonly ListedCall[] }): Rendered =>
  html`<ol class="runstrip" aria-label="Calls of the run">
    ${calls.length > mostShown ? html`<li class="gap">${calls.length - mostShown} before</li>` : ''}
    ${calls.slice(-mostShown).map(
      ({ id, tool, status }) =>
        html`<li class=${`st-${status}`}>
          <a href=${addressOf({ view: 'calls', id, filter: {} })} title=${`${tool}, ${status}`}>
            ${statusIcon(status)}<span class="vh">${tool}, ${status}</span>
          </a>
        </li>`,
    )}
  </ol>`;

const whose = (call: ListedCall | undefined): Rendered =>
  html`${call?.model === undefined ? '' : html`<code>${call.model}</code>, `}run${' '}<code
      >${call && runOf(call)}</code
    >`;

const issueList = (issues: readonly string[]): Rendered =>
  html`${issues.length === 1 ? 'Issue' : 'Issues'}:
  ${issues.map((issue, at) => html`${at === 0 ? ' ' : ', '}<code>${issue}</code>`)}`;

const Repeated = ({
  alarm: { tool, times, issues, calls },
  id,
}: {
  readonly alarm: RepeatedRejection;
  readonly id: string;
}): Rendered =>
  html`<h2 id=${id}>
      <code>${tool}</code> was rejected ${times} times in a row in one run, each time for the same
      reason
    </h2>
    <${Strip} calls=${calls} />
    <p>${whose(calls.at(-1))}. ${issueList(issues)}. The message didn’t help this model.</p>`;

const Silent = ({
  alarm: { tool, calls },
  id,
}: {
  readonly alarm: SilentRun;
  readonly id: string;
}): Rendered =>
  html`<h2 id=${id}>A run ended on a rejected call of <code>${tool}</code></h2>
    <${Strip} calls=${calls} />
    <p>${whose(calls.at(-1))}. ${issueList(calls.at(-1)?.issues ?? [])}. No further call came.</p>`;
