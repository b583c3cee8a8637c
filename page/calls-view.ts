import { html } from 'htm/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { sumOf } from '../src/page/call-numbers.ts';
import {
  type CallFilter,
  type ListedCall,
  callStatuses,
  filterKeys,
} from '../src/page/page-data.ts';
import { CallPanel } from './call-panel.ts';
import { type CallList, useCallList } from './call-list.ts';
import { FilterBox } from './filter-box.ts';
import { counted, duration, wholeNumber } from './format.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, badge, button, statusIcon, timeOf } from './parts.ts';
import { type Range, type Route, addressOf, go, rangeNames, sinceOf } from './route.ts';

interface CallsProps {
  readonly route: Route & { readonly range: Range };
  readonly isLive: boolean;
}

export function CallsView({ route, isLive }: CallsProps): Rendered {
  const { filter, range, id } = route;
  // The time of a range begins when the range was chosen: rows don't vanish while they are read.
  const since = useMemo(() => sinceOf(range, Date.now()), [range]);
  const isScrolled = useRef(false);
  const live = useRef(isLive);
  live.current = isLive;
  const list = useCallList(filter, since, () => isScrolled.current || !live.current);
  const setFilter = (next: CallFilter): void => go({ view: 'calls', range, filter: next });
  const step = (by: number): void => {
    const at = list.calls.findIndex((call) => call.id === id);
    const next = list.calls[Math.min(list.calls.length - 1, Math.max(0, at + by))];
    if (next !== undefined) go({ ...route, id: next.id });
  };
  const isFiltered = filterKeys.some((key) => filter[key] !== undefined);
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '/': () => document.querySelector<HTMLInputElement>('#q')?.focus(),
    Escape:
      id !== undefined
        ? () => go({ view: 'calls', range, filter })
        : isFiltered
          ? () => setFilter({})
          : undefined,
  });
  return html`
    <h1 class="vh">Calls</h1>
    <div class=${`calls ${id === undefined ? '' : 'has-sel'}`}>
      <div class="list">
        <${FilterBox} filter=${filter} setFilter=${setFilter} calls=${list.calls} />
        <${StatusBar} filter=${filter} setFilter=${setFilter} list=${list} />
        <div class="lh" aria-hidden="true">
          <span>Time</span><span>Status</span><span>Tool</span><span>Model</span
          ><span>What happened</span><span class="r">Took</span>
        </div>
        ${
          list.calls.length === 0 && list.isLoaded && list.next === undefined
            ? html`<${NoCalls}
                isFiltered=${isFiltered}
                range=${range}
                clear=${() => setFilter({})}
              />`
            : html`<${Rows}
                list=${list}
                route=${route}
                onScrolled=${(scrolled: boolean) => {
                  isScrolled.current = scrolled;
                }}
              />`
        }
        <p class="lf">${footOf(list, filter.status, range)}</p>
      </div>
      <section class="detail" aria-label="Call" tabindex="0">
        ${
          id === undefined
            ? html`<div class="pick">
                <p>Choose a call to see what was sent and what was used.</p>
                <p><kbd>j</kbd> <kbd>k</kbd> move through the list, <kbd>/</kbd> filters.</p>
              </div>`
            : html`<${CallPanel} key=${id} id=${id} route=${route} />`
        }
      </section>
    </div>
  `;
}

/** `status`: of the filter. The counts are those of all statuses. */
function footOf(
  { calls, counts, isLoaded, next }: CallList,
  status: CallFilter['status'],
  range: Range,
): string {
  if (calls.length === 0) return isLoaded && next === undefined ? 'No calls.' : 'Loading …';
  const shownStatuses = callStatuses.filter((one) => one === (status ?? one));
  const total = counts && shownStatuses.reduce((sum, one) => sum + counts[one], 0);
  const ofTotal = total === undefined ? '' : ` of ${wholeNumber(total)}`;
  const time = range === 'all' ? '' : ` in the ${rangeNames[range].toLowerCase()}`;
  const more = next !== undefined ? ' Older ones load as you scroll.' : '';
  return `${wholeNumber(calls.length)} newest${ofTotal}${time}.${more}`;
}

interface StatusBarProps {
  readonly filter: CallFilter;
  readonly setFilter: (filter: CallFilter) => void;
  readonly list: CallList;
}

function StatusBar({ filter, setFilter, list: { counts } }: StatusBarProps): Rendered {
  const { status: chosen, ...others } = filter;
  const shown = (count: number | undefined): string =>
    count === undefined ? '' : wholeNumber(count);
  return html`<div class="bar">
    <div class="seg" role="group" aria-label="Status">
      <button type="button" aria-pressed=${chosen === undefined} onClick=${() => setFilter(others)}>
        all <b>${shown(counts && sumOf(counts))}</b>
      </button>
      ${callStatuses.map(
        (status) =>
          html`<button
            type="button"
            class=${`sb-${status}`}
            title=${status}
            aria-pressed=${chosen === status}
            onClick=${() => setFilter({ ...others, status })}
          >
            ${statusIcon(status)}<span>${status}</span>
            <b>${shown(counts?.[status])}</b>
          </button>`,
      )}
    </div>
  </div>`;
}

interface NoCallsProps {
  readonly isFiltered: boolean;
  readonly range: Range;
  readonly clear: () => void;
}

const NoCalls = ({ isFiltered, range, clear }: NoCallsProps): Rendered =>
  html`<div class="nohit">
    <p>
      ${isFiltered ? 'No call matches' : 'No calls'}${range === 'all' ? '' : ` in the ${rangeNames[range].toLowerCase()}`}.
    </p>
    ${isFiltered ? button({ label: 'Clear the filter', shortcut: 'Esc', does: clear }) : html`<p>New ones appear here within a second.</p>`}
  </div>`;

interface RowsProps {
  readonly list: CallList;
  readonly route: Route & { readonly range: Range };
  readonly onScrolled: (isScrolled: boolean) => void;
}

const wideRow = 32;
const narrowRow = 84;
const rowsBeyond = 10;

const rowHeight = (): number => (matchMedia('(max-width: 700px)').matches ? narrowRow : wideRow);

/** Only the rows that are seen are in the document. */
function Rows({ list, route, onScrolled }: RowsProps): Rendered {
  const { calls, waiting, next, loadMore, showWaiting } = list;
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 800, row: rowHeight() });
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = box.current ?? {};
    onScrolled(top > rowHeight());
    setSeen({ top, height, row: rowHeight() });
  };
  useEffect(() => {
    look();
    addEventListener('resize', look);
    return () => {
      removeEventListener('resize', look);
      onScrolled(false);
    };
  }, []);
  const { top, height, row } = seen;
  const first = Math.max(0, Math.floor(top / row) - rowsBeyond);
  const last = Math.min(calls.length, Math.ceil((top + height) / row) + rowsBeyond);
  useEffect(() => {
    if (next !== undefined && last >= calls.length - rowsBeyond) loadMore();
  }, [last, next]);
  const selected = calls.findIndex(({ id }) => id === route.id);
  useEffect(() => {
    const { current } = box;
    if (selected < 0 || current === null) return;
    const at = selected * row;
    if (at < current.scrollTop) current.scrollTop = at;
    else if (at + row > current.scrollTop + current.clientHeight)
      current.scrollTop = at + row - current.clientHeight;
  }, [route.id]);
  return html`
    ${
      waiting === 0
        ? ''
        : html`<button
            type="button"
            class="btn new"
            onClick=${() => {
              showWaiting();
              box.current?.scrollTo({ top: 0 });
            }}
          >
            ${counted(waiting, 'new call')}
          </button>`
    }
    <div
      class="rows"
      ref=${box}
      onScroll=${look}
      tabindex="0"
      role="region"
      aria-label="Calls, newest first"
    >
      <div class="all" style=${{ height: `${calls.length * row}px` }}>
        <ol style=${{ transform: `translateY(${first * row}px)` }}>
          ${calls
            .slice(first, last)
            .map(
              (call, index) =>
                html`<${Row}
                  key=${call.id}
                  call=${call}
                  route=${route}
                  place=${first + index + 1}
                  of=${calls.length}
                />`,
            )}
        </ol>
      </div>
    </div>
  `;
}

interface RowProps {
  readonly call: ListedCall;
  readonly route: Route & { readonly range: Range };
  readonly place: number;
  readonly of: number;
}

const Row = ({ call, route, place, of }: RowProps): Rendered =>
  html`<li aria-setsize=${of} aria-posinset=${place}>
    <a
      href=${addressOf({ ...route, id: call.id })}
      class="row"
      aria-current=${call.id === route.id ? 'true' : undefined}
    >
      <span class="t">${timeOf(call.at)}</span>
      <span class="s">${badge(call.state ?? call.status)}</span>
      <code class="tl" title=${call.tool}>${call.tool}</code>
      <code class="m" title=${call.model ?? ''}>${call.model ?? '–'}</code>
      <span class="w">${whatHappened(call)}</span>
      <span class="k r"
        >${call.milliseconds === undefined ? '–' : duration(call.milliseconds)}</span
      >
    </a>
  </li>`;

/** The rules of a repair, what was wrong, or why the tool failed. */
function whatHappened({ rules, issues, error, status }: ListedCall): Rendered | string {
  if (status === 'failed') return error ?? '';
  const [issue] = issues;
  if (issue !== undefined)
    return html`<code class="iss">${issue}</code
      >${issues.length > 1 ? html`<span class="times">+${issues.length - 1}</span>` : ''}`;
  return html`${rules.map(
    ({ rule, times }) =>
      html`<code>${rule}</code>${times > 1 ? html`<span class="times">×${times}</span>` : ''} `,
  )}`;
}
