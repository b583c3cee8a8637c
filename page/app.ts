import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Alarms } from '../src/page/page-data.ts';
import { type AlarmMarking, useAlarmMarks } from './alarm-marking.ts';
import { type MarkedAlarm, sortAlarms } from './alarm-marks.ts';
import { AlarmsView } from './alarms-view.ts';
import { useAnswer } from './answers.ts';
import { brandMark } from './brand.ts';
import { CallsView } from './calls-view.ts';
import { DecideView } from './decide-view.ts';
import { type OpenDecisions, useOpenDecisions } from './decisions.ts';
import { clockTime } from './format.ts';
import { useViewKeys, useKeys } from './keyboard.ts';
import { useReadAgain } from './numbers.ts';
import { OverviewView } from './overview-view.ts';
import type { Rendered } from './parts.ts';
import {
  type Range,
  type Route,
  type View,
  addressOf,
  go,
  rangeNames,
  ranges,
  sinceOf,
  useRoute,
  views,
} from './route.ts';
import { type Source, readAlarms, readSource, useConnection } from './server.ts';
import { recordedDrafts } from './recorded-drafts.ts';
import { Toast } from './toast.ts';
import { TryView } from './try-view.ts';

const viewNames: Readonly<Record<View, string>> = {
  overview: 'Overview',
  calls: 'Calls',
  decide: 'Decide',
  try: 'Try',
  alarms: 'Alarms',
};
const viewKeys: Readonly<Record<View, string>> = {
  overview: 'o',
  calls: 'c',
  decide: 'd',
  try: 't',
  alarms: 'a',
};

export function App(): Rendered {
  const route = useRoute();
  const { answer: source } = useAnswer('source', readSource);
  const { problem } = useConnection();
  const [isLive, setLive] = useState(true);
  const [keysShown, setKeysShown] = useState(false);
  const decisions = useOpenDecisions();
  useEffect(() => {
    document.title = `${viewNames[route.view]} · toolmend`;
  }, [route.view]);
  useViewKeys((letter) => {
    const view = views.find((one) => viewKeys[one] === letter);
    if (view !== undefined)
      go({ view, filter: {}, ...(route.range === undefined ? {} : { range: route.range }) });
    return view !== undefined;
  });
  useKeys({ '?': () => setKeysShown(true) });
  const range = route.range ?? (source === undefined ? '7d' : usualRange(source));
  const marking = useAlarmMarks();
  const lookedAlarms = useReadAgain(() => readAlarms(sinceOf(range, Date.now())), range, isLive);
  if (problem === 401) return html`<${TokenNeeded} />`;
  if (source === undefined)
    return html`<${ConnectionNote} />
      <main id="main" tabindex="-1">
        <div class="pick"><p role="status">Loading …</p></div>
      </main>`;
  const { open: alarms, marked = [] } =
    lookedAlarms === undefined ? {} : sortAlarms(lookedAlarms, marking.marks);
  const waiting = Array.isArray(decisions.open) ? decisions.open.length : 0;
  const shown = { ...route, range };
  return html`
    <${Header}
      route=${shown}
      source=${source.source}
      isLive=${isLive}
      setLive=${setLive}
      waiting=${waiting}
      alarms=${alarms?.alarms.length ?? 0}
      showKeys=${() => setKeysShown(true)}
    />
    <${ConnectionNote} />
    <main id="main" tabindex="-1" class=${`v-${route.view}`}>
      <${Shown}
        route=${shown}
        isLive=${isLive}
        decisions=${decisions}
        waiting=${waiting}
        alarms=${alarms}
        marked=${marked}
        marking=${marking}
      />
    </main>
    <${Toast} />
    <${KeyList} isShown=${keysShown} close=${() => setKeysShown(false)} />
  `;
}

interface ShownProps {
  readonly route: Route & { readonly range: Range };
  readonly isLive: boolean;
  readonly decisions: OpenDecisions;
  /** Calls that wait for a person. */
  readonly waiting: number;
  /** Without those that are marked. */
  readonly alarms: Alarms | undefined;
  readonly marked: readonly MarkedAlarm[];
  readonly marking: AlarmMarking;
}

function Shown({
  route,
  isLive,
  decisions,
  waiting,
  alarms,
  marked,
  marking,
}: ShownProps): Rendered {
  switch (route.view) {
    case 'overview':
      return html`<${OverviewView}
        route=${route}
        isLive=${isLive}
        waiting=${waiting}
        alarms=${alarms}
      />`;
    case 'alarms':
      return html`<${AlarmsView}
        route=${route}
        alarms=${alarms}
        marked=${marked}
        marking=${marking}
      />`;
    case 'calls':
      return html`<${CallsView} route=${route} isLive=${isLive} />`;
    case 'decide':
      return html`<${DecideView} route=${route} decisions=${decisions} />`;
    default:
      return html`<${TryView} id=${route.id} source=${recordedDrafts} />`;
  }
}

/** The last week, unless there is nothing in it. */
function usualRange({ newest }: Source): Range {
  const since = sinceOf('7d', Date.now()) ?? 0;
  return newest !== undefined && newest < since ? 'all' : '7d';
}

const TokenNeeded = (): Rendered => html`
  <main id="main" tabindex="-1">
    <section class="empty">
      <h1>This page needs its token</h1>
      <p>Load the page again, and give the token as the password.</p>
    </section>
  </main>
`;

interface HeaderProps {
  readonly route: Route & { readonly range: Range };
  readonly source: string;
  readonly isLive: boolean;
  readonly setLive: (isLive: boolean) => void;
  /** Calls that wait for a person. */
  readonly waiting: number;
  readonly alarms: number;
  readonly showKeys: () => void;
}

function Header(props: HeaderProps): Rendered {
  const { route, source, isLive, setLive, waiting, alarms, showKeys } = props;
  const counts: { readonly [Name in View]?: number } = { decide: waiting, alarms };
  const { view: current, range } = route;
  const link = (view: View): string => addressOf({ view, range, filter: {} });
  return html`
    <header class="top">
      <a class="brand" href=${link('overview')} aria-label="toolmend, overview">
        ${brandMark()}
        <span>toolmend</span>
      </a>
      <nav class="nav" aria-label="Views">
        ${views.map(
          (view) =>
            html`<a href=${link(view)} aria-current=${view === current ? 'page' : undefined}>
              <svg class="ni" aria-hidden="true"><use href=${`#i-${view}`} /></svg>
              <span>${viewNames[view]}</span>
              ${(counts[view] ?? 0) > 0 ? html` <b class="count">${counts[view]}</b>` : ''}
            </a>`,
        )}
      </nav>
      <div class="tools">
        <span class="source mono" title="Where the calls come from">${source}</span>
        <label class="sel">
          <span class="vh">Time range</span>
          <select
            id="range"
            value=${range}
            onChange=${({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => {
              const chosen = ranges.find((one) => one === currentTarget.value);
              if (chosen !== undefined) go({ ...route, range: chosen });
            }}
          >
            ${ranges.map((one) => html`<option value=${one} selected=${one === range}>${rangeNames[one]}</option>`)}
          </select>
        </label>
        <button type="button" class="live" aria-pressed=${isLive} onClick=${() => setLive(!isLive)}>
          <i aria-hidden="true"></i><span>Live</span>
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick=${showKeys}
        >
          ?
        </button>
      </div>
    </header>
  `;
}

function ConnectionNote(): Rendered {
  const { lost, problem } = useConnection();
  useEffect(() => {
    document.body.classList.toggle('lost', lost !== undefined);
  }, [lost]);
  return html`<div id="banner" role="status">
    ${
      lost !== undefined
        ? html`<p>Connection lost at ${clockTime(lost)}. Trying again. No call will be missing.</p>`
        : problem === undefined
          ? ''
          : html`<p>${sentenceOf(problem)}</p>`
    }
  </div>`;
}

/** Of a status that is an error. */
const sentenceOf = (problem: number): string =>
  problem >= 500
    ? `The server could not read what is missing here (status ${problem}). Trying again.`
    : `The server refuses what is missing here (status ${problem}). Load the page again.`;

const keyTexts: readonly (readonly [string, string])[] = [
  ['g o', 'Overview'],
  ['g c', 'Calls'],
  ['g d', 'Decide'],
  ['g t', 'Try'],
  ['g a', 'Alarms'],
  ['/', 'Filter calls'],
  ['j k', 'Next, previous'],
  ['t', 'Open the call in Try'],
  ['c', 'Copy as test case'],
  ['a', 'Approve'],
  ['e', 'Edit'],
  ['d', 'Deny, with a reason'],
  ['s', 'Settle'],
  ['Ctrl Enter', 'Send the denial, or approve the edit'],
  ['arrows', 'Move in the heat map and the chart'],
  ['Esc', 'Back'],
];

function KeyList({
  isShown,
  close,
}: {
  readonly isShown: boolean;
  readonly close: () => void;
}): Rendered {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isShown) dialog.current?.showModal();
  }, [isShown]);
  return html`<dialog ref=${dialog} aria-labelledby="keys-h" onClose=${close}>
    <h2 id="keys-h">Keyboard</h2>
    <table>
      ${keyTexts.map(
        ([keys, does]) =>
          html`<tr>
            <th scope="row">${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</th>
            <td>${does}</td>
          </tr>`,
      )}
    </table>
    <form method="dialog"><button class="btn">Close</button></form>
  </dialog>`;
}
