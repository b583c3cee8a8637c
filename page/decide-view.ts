import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  DecisionCase,
  DecisionEnd,
  DecisionResult,
  OpenDecision,
  PageDecision,
} from '../src/page/decision-data.ts';
import { ApprovalPanel } from './approval-panel.ts';
import { type OpenDecisions, type ReadCase, sendDecision, useCase, useNow } from './decisions.ts';
import { DoubtPanel } from './doubt-panel.ts';
import { age, counted, momentOf, timeLeft } from './format.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, badge, toast } from './parts.ts';
import { QuestionPanel } from './question-panel.ts';
import { type Range, type Route, addressOf, currentRoute, go, goInstead } from './route.ts';

interface DecideProps {
  readonly route: Route & { readonly range: Range };
  readonly decisions: OpenDecisions;
}

export function DecideView({ route, decisions: { open, reload } }: DecideProps): Rendered {
  if (open === undefined)
    return html`<h1 class="vh">Decide</h1>
      <div class="pick"><p role="status">Looking for calls that wait …</p></div>`;
  if (open === 'none')
    return html`<h1 class="vh">Decide</h1>
      <section class="empty">
        <h2>No call of this source can wait</h2>
        <p>
          A log has calls that are over. Calls that need an approval, questions of tools and calls
          in doubt are in a journal: open this page over it, or in the application.
        </p>
      </section>`;
  return html`<${Queue} route=${route} open=${open} reload=${reload} />`;
}

interface QueueProps {
  readonly route: DecideProps['route'];
  readonly open: readonly OpenDecision[];
  readonly reload: () => void;
}

function Queue({ route, open, reload }: QueueProps): Rendered {
  const { range } = route;
  const id = route.id ?? open[0]?.id;
  const { read, reload: readAgain } = useCase(id);
  const show = (other: OpenDecision | undefined): void => {
    if (other !== undefined) go({ view: 'decide', id: other.id, range, filter: {} });
  };
  // What a person looks at stays when another call becomes the first of the list.
  const isLookedAt = typeof read === 'object' && read.decision.end === undefined;
  useEffect(() => {
    if (route.id === undefined && id !== undefined && isLookedAt)
      goInstead({ view: 'decide', id, range, filter: {} });
  }, [route.id, id, isLookedAt]);
  const at = open.findIndex((one) => one.id === id);
  const step = (by: number): void => {
    const nextAt = Math.min(open.length - 1, Math.max(0, at + by));
    show(open[nextAt]);
    setTimeout(() => document.querySelector<HTMLElement>('.queue [aria-current]')?.focus());
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  const [deciding, setDeciding] = useState(noIds);
  const decided = useRef(new Set<string>());
  const decide = (decision: PageDecision): void => {
    if (id === undefined || typeof read !== 'object' || deciding.has(id)) return;
    setDeciding((before) => new Set([...before, id]));
    decided.current.add(id);
    const following = open[at + 1] ?? open[at - 1];
    sendDecision(id, decision)
      .then(
        (result) => {
          toast(sentenceOf(read.decision.tool, decision, result));
          if (!isOver(result)) decided.current.delete(id);
          // A person who has gone elsewhere in the meantime stays there.
          if (result.kind === 'counts' && isShown(id)) show(following);
        },
        () => {
          decided.current.delete(id);
          toast('No answer came, so the decision may count. Look again before you decide anew.');
        },
      )
      .finally(() => {
        setDeciding((before) => new Set([...before].filter((one) => one !== id)));
        reload();
        readAgain();
      });
  };
  useToldOfOthers(read, decided);
  if (open.length === 0 && route.id === undefined)
    return html`<h1 class="vh">Decide</h1>
      <section class="empty">
        <h2>Nothing waits for you</h2>
        <p>
          Calls that need an approval, questions of tools and calls in doubt appear here as they
          come. Destructive tools ask with the option <code>approval: {}</code>
        </p>
      </section>`;
  return html`
    <h1 class="vh">Decide</h1>
    <div class="decide">
      <${Waiting} open=${open} id=${id} range=${range} />
      <section class="case" aria-labelledby="h-case">
        ${
          read === undefined
            ? html`<div class="pick"><p role="status">Loading the call …</p></div>`
            : read === 'unknown'
              ? html`<h2 id="h-case">Unknown call</h2>
                  <p class="decided">No call that you may see has this id.</p>`
              : html`<${Case}
                  read=${read}
                  decide=${decide}
                  isDeciding=${deciding.has(read.decision.id)}
                  range=${range}
                />`
        }
      </section>
      ${typeof read === 'object' ? html`<${Facts} decision=${read.decision} range=${range} />` : ''}
    </div>
  `;
}

const noIds: ReadonlySet<string> = new Set();

function isShown(id: string): boolean {
  const { view, id: shownId = id } = currentRoute();
  return view === 'decide' && shownId === id;
}

/** Whether nothing is left to decide, because of this person or of one who was first. */
const isOver = (result: DecisionResult): boolean =>
  result.kind === 'late' || (result.kind === 'counts' && result.status !== 'input_required');

/** Another person may decide while somebody reads. */
function useToldOfOthers(
  read: ReadCase | 'unknown' | undefined,
  decided: { readonly current: ReadonlySet<string> },
): void {
  const wasOpen = useRef<string>(undefined);
  useEffect(() => {
    if (typeof read !== 'object') return;
    const { id, tool, end } = read.decision;
    if (end === undefined) {
      wasOpen.current = id;
      return;
    }
    if (wasOpen.current === id && !decided.current.has(id))
      toast(
        end.what === 'expired'
          ? `Nobody answered ${tool} in time.`
          : `${personOf(end)} decided about ${tool}: ${ends[end.what]}.`,
      );
    wasOpen.current = undefined;
  }, [read]);
}

const personOf = ({ by }: DecisionEnd): string => by ?? 'Somebody else';

const ends = {
  ran: 'it ran',
  denied: 'denied',
  settled: 'settled as unknown',
  answered: 'the question was answered',
  declined: 'the answer was declined',
  expired: 'nobody answered in time',
} as const;

function endSentence({ by, what }: DecisionEnd): string {
  if (what === 'expired') return 'Nobody answered in time.';
  return `${by === undefined ? 'Decided' : `${by} decided`}: ${ends[what]}.`;
}

const done = {
  approve: 'approved',
  deny: 'denied',
  answer: 'got its answer',
  decline: 'got no answer',
  run: 'runs again',
  done: 'settled as done',
  give_up: 'settled as unknown',
} as const;

const ranAfter: ReadonlySet<PageDecision['decision']> = new Set([
  'approve',
  'answer',
  'decline',
  'run',
]);

const statusText = (status: string): string =>
  status === 'input_required' ? 'it asks once more' : status.replaceAll('_', ' ');

function sentenceOf(tool: string, { decision }: PageDecision, result: DecisionResult): string {
  switch (result.kind) {
    case 'counts':
      return `${tool} ${done[decision]}${ranAfter.has(decision) ? `: ${statusText(result.status)}` : ''}`;
    case 'late':
      if (result.end.what === 'expired')
        return `Nobody had answered ${tool} in time: it went on without an answer.`;
      return `${personOf(result.end)} decided first: ${ends[result.end.what]}. Yours didn’t count, and nothing ran twice.`;
    case 'again':
      return result.why === 'expired'
        ? 'The approval had expired, and nothing ran. Look again, and decide anew.'
        : 'What waits has changed, and nothing ran. Look again, and decide anew.';
    case 'refused':
      return decision === 'answer'
        ? 'The answer doesn’t pass, and nothing ran.'
        : 'The edited arguments don’t pass, and nothing ran.';
    default:
      return result.text;
  }
}

interface WaitingProps {
  readonly open: readonly OpenDecision[];
  readonly id: string | undefined;
  readonly range: Range;
}

function Waiting({ open, id, range }: WaitingProps): Rendered {
  const now = useNow();
  useEffect(() => {
    document
      .querySelector('.queue [aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [id]);
  const countOf = (wanted: OpenDecision['kind']): number =>
    open.filter(({ kind }) => kind === wanted).length;
  const [questions, doubts] = [countOf('question'), countOf('doubt')];
  return html`<nav class="queue" aria-label="Waiting">
    <h2>
      Waiting
      <small
        >${counted(countOf('approval'), 'approval')}${questions > 0 ? `, ${counted(questions, 'question')}` : ''}${doubts > 0 ? `, ${doubts} in doubt` : ''}</small
      >
    </h2>
    <ol>
      ${open.map(
        (one) =>
          html`<li key=${one.id}>
            <a
              href=${addressOf({ view: 'decide', id: one.id, range, filter: {} })}
              aria-current=${one.id === id ? 'true' : undefined}
            >
              <code>${one.tool}</code>
              ${one.excerpt === undefined ? '' : html`<code class="excerpt" title=${one.excerpt}>${one.excerpt}</code>`}
              <span class="when">${whenOf(one, now)}</span>
              <small>
                ${one.model === undefined ? '' : `${one.model} · `}${one.kind === 'doubt' ? 'its process died' : `asked ${age(now - Date.parse(one.askedAt))} ago`}
              </small>
            </a>
          </li>`,
      )}
    </ol>
    <p class="hint"><kbd>j</kbd> <kbd>k</kbd> next, previous</p>
  </nav>`;
}

function whenOf({ kind, expiresAt }: OpenDecision, now: number): Rendered | string {
  if (kind === 'doubt') return badge('in_doubt');
  const left = expiresAt === undefined ? 0 : Date.parse(expiresAt) - now;
  return left > 0 ? html`expires in <b class="num">${timeLeft(left)}</b>` : 'expired';
}

const panels = { approval: ApprovalPanel, question: QuestionPanel, doubt: DoubtPanel } as const;

interface CaseProps {
  readonly read: ReadCase;
  readonly decide: (decision: PageDecision) => void;
  readonly isDeciding: boolean;
  readonly range: Range;
}

function Case({ read, decide, isDeciding, range }: CaseProps): Rendered {
  const { decision } = read;
  const { end, kind, tool, id, approval, question } = decision;
  if (end !== undefined)
    return html`<header class="dhead">
        <div><h2 id="h-case" class="mono">${tool}</h2></div>
      </header>
      <p class="decided">
        ${endSentence(end)} Nothing waits. ${' '}<a
          href=${addressOf({ view: 'calls', id, range, filter: {} })}
          >See the call</a
        >
      </p>`;
  const Panel = panels[kind];
  // Another approval or question of the same call begins anew.
  return html`<${Panel}
    key=${`${id} ${approval ?? question?.id}`}
    read=${read}
    decide=${decide}
    isDeciding=${isDeciding}
  />`;
}

const fact = (name: string, value: Rendered | string | undefined): Rendered | string =>
  value === undefined
    ? ''
    : html`<dt>${name}</dt>
        <dd>${value}</dd>`;

const code = (text: string | undefined): Rendered | undefined =>
  text === undefined ? undefined : html`<code>${text}</code>`;

const reasons = {
  approval: 'The application asks a person before this call runs. Nothing has run.',
  question:
    'The tool has asked a person. It runs again from its start with the answer, or without one if nobody answers in time.',
  doubt:
    'The tool had started when its process ended, and it isn’t declared idempotent. Running it again could do the work twice.',
} as const;

const formerReasons = {
  approval: 'The application asks a person before this call runs.',
  question: 'The tool had asked a person.',
  doubt: 'The tool had started when its process ended, and it isn’t declared idempotent.',
} as const;

function Facts({
  decision,
  range,
}: {
  readonly decision: DecisionCase;
  readonly range: Range;
}): Rendered {
  const { kind, end, rationale, run, askedAt, expiresAt, changedAt, attempts } = decision;
  const isDoubt = kind === 'doubt';
  const isOpen = end === undefined;
  return html`<aside class="facts" aria-label="About this call">
    <h3>${isOpen ? 'Why it waits' : 'Why it waited'}</h3>
    <p>${(isOpen ? reasons : formerReasons)[kind]}</p>
    ${
      rationale === undefined
        ? ''
        : html`<h3>The model said</h3>
            <blockquote>${rationale}</blockquote>`
    }
    <h3>Call</h3>
    <dl class="kv">
      ${fact('Model', code(decision.model))} ${fact('Effects', decision.effects)}
      ${fact('Tenant', code(decision.tenant))}
      ${fact('Run', run === undefined ? undefined : html`<a class="mono" href=${addressOf({ view: 'calls', range, filter: { run } })}>${run}</a>`)}
      ${fact('Conversation', code(decision.conversation))}
      ${fact(isDoubt ? 'Started' : 'Asked', timeAt(askedAt))}
      ${fact('Expires', isDoubt || !isOpen || expiresAt === undefined ? undefined : timeAt(expiresAt))}
      ${isDoubt ? fact('Given up', timeAt(changedAt)) : ''}
      ${isDoubt ? fact('Attempts', String(attempts)) : ''}
      ${isDoubt ? fact('Key', code(decision.idempotencyKey)) : ''}
    </dl>
    ${
      isDoubt || !isOpen
        ? ''
        : html`<p class="dim">
            One ${kind === 'question' ? 'answer' : 'decision'} counts. If somebody else is first,
            you are told, and nothing runs twice.
          </p>`
    }
  </aside>`;
}

const timeAt = (iso: string): Rendered =>
  html`<time datetime=${iso} title=${iso}>${momentOf(Date.parse(iso), Date.now())}</time>`;
