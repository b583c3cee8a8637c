import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Difference } from './difference-view.ts';
import {
  type Draft,
  allEffects,
  draftLink,
  draftOfReport,
  effectsIn,
  linkedDraft,
} from './draft.ts';
import { counted } from './format.ts';
import type * as engineModule from './judge-draft.ts';
import type { JudgedDraft, Verdict } from './judge-draft.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, badge, button, copy, icon } from './parts.ts';
import { repairGroups } from './repair-groups.ts';
import { RepairList } from './repair-list.ts';

/** Where drafts come from, beside the examples. */
export interface DraftSource {
  /** The names of tools. */
  tools(): Promise<readonly string[]>;
  /** The newest call of a tool. Undefined: its schema is not on record. */
  draftOfTool(tool: string): Promise<Draft | undefined>;
  draftOfCall(id: string): Promise<Draft | undefined>;
}

interface TryProps {
  /** A recorded call to begin with. */
  readonly id?: string | undefined;
  readonly source?: DraftSource;
}

type Engine = typeof engineModule;

/** What was tried last is there again after a look at another view. */
let lastDraft: Draft | undefined;

export function TryView({ id, source }: TryProps): Rendered {
  const engine = useEngine();
  const [draft, setDraft] = useState(lastDraft);
  const [tools, setTools] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  // What was chosen or typed last counts, also if a draft comes late.
  const choices = useRef(0);
  const edit = (edited: Draft): void => {
    choices.current += 1;
    setDraft(edited);
  };
  const begin = (loading: Promise<Draft | undefined>, unrecorded: string, gone: string): void => {
    const choice = (choices.current += 1);
    const show = (loaded: Draft | undefined, otherwise: string): void => {
      if (choices.current !== choice) return;
      setProblem(loaded === undefined ? otherwise : undefined);
      if (loaded !== undefined) setDraft(loaded);
    };
    loading.then(
      (loaded) => show(loaded, unrecorded),
      () => show(undefined, gone),
    );
  };
  useEffect(() => {
    lastDraft = draft;
  }, [draft]);
  useEffect(() => {
    source?.tools().then(setTools, () => undefined);
  }, [source]);
  useEffect(() => {
    if (id !== undefined && source !== undefined)
      begin(
        source.draftOfCall(id),
        'The arguments or the schema of this call are not on record.',
        'This call is not on record any more.',
      );
  }, [id, source]);
  useEffect(() => {
    const follow = (): void => {
      linkedDraft(location.hash).then((linked) => {
        if (linked !== undefined) edit(linked);
      }, ignore);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const [example] = engine?.reportedCalls ?? [];
  const tried = draft ?? (example && draftOfReport(example));
  if (engine === undefined || tried === undefined)
    return html`<h1 class="vh">Try</h1>
      <p class="why dim loading" role="status">Loading the repair engine …</p>`;
  const choose = (choice: string): void => {
    const [kind, name = ''] = choice.split(/:(.*)/s);
    const report = engine.reportedCalls[Number(name)];
    if (kind === 'example' && report !== undefined) {
      setProblem(undefined);
      edit(draftOfReport(report));
    } else if (kind === 'tool' && source !== undefined) {
      const problemOfTool = `The schema of ${name} is not on record. Paste it.`;
      begin(source.draftOfTool(name), problemOfTool, problemOfTool);
    }
  };
  return html`
    <h1 class="vh">Try</h1>
    <div class="try">
      <${SchemaBox} draft=${tried} setDraft=${edit} problem=${problem}>
        <${Picker} tools=${tools} engine=${engine} choose=${choose} />
      <//>
      <${Tried} draft=${tried} setDraft=${edit} engine=${engine} />
    </div>
  `;
}

const ignore = (): void => undefined;

function useEngine(): Engine | undefined {
  const [engine, setEngine] = useState<Engine>();
  useEffect(() => {
    import('./judge-draft.ts').then(setEngine, ignore);
  }, []);
  return engine;
}

interface PickerProps {
  readonly tools: readonly string[];
  readonly engine: Engine;
  readonly choose: (choice: string) => void;
}

const Picker = ({ tools, engine, choose }: PickerProps): Rendered =>
  html`<label class="sel">
    <span class="vh">Begin with a tool or an example</span>
    <select
      id="try-pick"
      value=""
      onChange=${({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => {
        choose(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">Begin with …</option>
      ${
        tools.length === 0
          ? ''
          : html`<optgroup label="Tools on record">
              ${tools.map((tool) => html`<option value=${`tool:${tool}`}>${tool}</option>`)}
            </optgroup>`
      }
      <optgroup label="Reported calls">
        ${engine.reportedCalls.map(
          ({ tool, model }, index) =>
            html`<option value=${`example:${index}`}>${tool} · ${model}</option>`,
        )}
      </optgroup>
    </select>
  </label>`;

interface DraftProps {
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
}

interface SchemaBoxProps extends DraftProps {
  readonly problem: string | undefined;
  readonly children: Rendered;
}

const SchemaBox = ({ draft, setDraft, problem, children }: SchemaBoxProps): Rendered =>
  html`<section aria-labelledby="h-schema">
    <header>
      <h2 id="h-schema">Schema</h2>
      ${children}
    </header>
    <label class="tool-name">
      <span>Tool</span>
      <input
        type="text"
        class="mono"
        spellcheck=${false}
        autocomplete="off"
        placeholder="as in the definition"
        value=${draft.tool}
        onInput=${({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
          setDraft({ ...draft, tool: currentTarget.value })}
      />
    </label>
    <${Code}
      label="JSON Schema or definition of the tool"
      text=${draft.schema}
      setText=${(schema: string) => setDraft({ ...draft, schema })}
    />
    ${problem === undefined ? '' : html`<p class="dim" role="status">${problem}</p>`}
  </section>`;

interface CodeProps {
  readonly label: string;
  readonly text: string;
  readonly setText: (text: string) => void;
}

/** Escape leaves it, for the keys of the view. */
const Code = ({ label, text, setText }: CodeProps): Rendered =>
  html`<textarea
    class="mono code"
    aria-label=${label}
    spellcheck=${false}
    autocomplete="off"
    value=${text}
    onInput=${({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) =>
      setText(currentTarget.value)}
    onKeyDown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape' && event.currentTarget instanceof HTMLElement)
        event.currentTarget.blur();
    }}
  ></textarea>`;

/** The call, and what becomes of it. */
function Tried({ draft, setDraft, engine }: DraftProps & { readonly engine: Engine }): Rendered {
  const verdict = useVerdict(draft, engine);
  const judged = verdict.status === 'no schema' ? undefined : verdict;
  const line = judged?.line;
  const copyLine = (): void => {
    if (line !== undefined) copy(line, 'Test case');
  };
  const copyLink = (): void => {
    draftLink(draft, location.href).then((link) => copy(link, 'Link'), ignore);
  };
  useKeys({ c: line === undefined ? undefined : copyLine, l: copyLink });
  return html`
    <section aria-labelledby="h-call">
      <header>
        <h2 id="h-call">Call</h2>
        <${Choices} draft=${draft} setDraft=${setDraft} />
      </header>
      <${Code}
        label="Arguments as the model sent them, or its answer"
        text=${draft.call}
        setText=${(call: string) => setDraft({ ...draft, call, form: '' })}
      />
      <${HowRead} draft=${draft} setDraft=${setDraft} judged=${judged} />
    </section>
    <section class="out" aria-labelledby="h-out">
      <header>
        <h2 id="h-out">Result</h2>
        <span role="status">${judged === undefined ? '' : badge(judged.status)}</span>
        <span class="dim">
          ${judged === undefined ? '' : `judged here in ${judgingTime(judged)}, nothing was sent`}
        </span>
      </header>
      <div class="outb" tabindex="0" role="region" aria-label="What becomes of the call">
        ${
          verdict.status === 'no schema'
            ? html`<p class="why" role="status">${icon('rejected')} ${verdict.problem}</p>`
            : html`<${Outcome} verdict=${verdict} />`
        }
      </div>
      <div class="actbar">
        ${button({ label: 'Copy as test case', shortcut: 'c', does: copyLine, disabled: line === undefined })}
        ${button({ label: 'Copy link', shortcut: 'l', does: copyLink })}
      </div>
    </section>
  `;
}

const judgingTime = ({ milliseconds }: JudgedDraft): string =>
  milliseconds < 0.1 ? 'less than 0.1 ms' : `${milliseconds.toFixed(1)} ms`;

/** Longer texts are judged when the typing rests. */
const shortText = 20_000;
const restMs = 200;

function useVerdict(draft: Draft, engine: Engine): Verdict {
  const [verdict, setVerdict] = useState<Verdict>(() => engine.judgeDraft(draft));
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const isShort = draft.call.length + draft.schema.length <= shortText;
    const timer = setTimeout(() => setVerdict(engine.judgeDraft(draft)), isShort ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [draft, engine]);
  return verdict;
}

const finishReasons = ['tool_calls', 'stop', 'length'] as const;

function Choices({ draft, setDraft }: DraftProps): Rendered {
  const { finishReason, effects } = draft;
  const reasons = [...new Set([...finishReasons, finishReason])].filter((one) => one !== '');
  return html`
    <label class="sel">
      <span>finish</span>
      <select
        value=${finishReason}
        onChange=${({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
          setDraft({ ...draft, finishReason: currentTarget.value })}
      >
        <option value="">unknown</option>
        ${reasons.map((reason) => html`<option value=${reason}>${reason}</option>`)}
      </select>
    </label>
    <label class="sel">
      <span>effects</span>
      <select
        value=${effects}
        onChange=${({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
          setDraft({ ...draft, effects: effectsIn(currentTarget.value) })}
      >
        <option value="">unknown</option>
        ${allEffects.map((one) => html`<option value=${one}>${one}</option>`)}
      </select>
    </label>
  `;
}

function HowRead({
  draft,
  setDraft,
  judged,
}: DraftProps & { readonly judged: JudgedDraft | undefined }): Rendered {
  const length = counted(draft.call.length, 'character');
  if (judged === undefined) return html`<p class="dim">${length}.</p>`;
  const { form, calls, hasOtherForm } = judged;
  const other = form === 'answer' ? 'arguments' : 'answer';
  return html`<p class="dim">
    ${form === 'answer' ? answerText(judged) : 'Read as argument text.'} ${length}.
    ${
      hasOtherForm || (form === 'answer' && calls === undefined)
        ? html` <button
            type="button"
            class="as-link"
            onClick=${() => setDraft({ ...draft, form: other })}
          >
            ${other === 'answer' ? 'Read it as an answer' : 'Read it as argument text'}
          </button>`
        : ''
    }
  </p>`;
}

function answerText({ tool, calls }: JudgedDraft): Rendered {
  if (calls === undefined) return html`Read as an answer, without a call that can be read.`;
  const others = calls.count - 1;
  return html`Read as an answer with a call of <code>${tool}</code>, written as${' '}
    <code>${calls.notation}</code>${others === 0 ? '' : `, and ${counted(others, 'other')}`}.`;
}

function Outcome({ verdict }: { readonly verdict: JudgedDraft }): Rendered {
  const { status, sent, used, repairs, issues, message, warnings } = verdict;
  const groups = repairGroups(repairs);
  return html`
    ${warnings.map((warning) => html`<p class="why">${warning}</p>`)}
    <${Difference} sent=${sent} used=${used} groups=${groups} issues=${issues} />
    ${
      groups.length > 0
        ? html`<h3>${groups.length === 1 ? 'One repair' : `${groups.length} repairs`}</h3>
            <${RepairList} groups=${groups} />`
        : status === 'valid'
          ? html`<p class="why dim">Valid as sent. A valid call is never changed.</p>`
          : ''
    }
    ${
      message !== ''
        ? html`<h3>The model would read${status === 'rejected' ? '' : ', beside the result'}</h3>
            <pre class="msg" tabindex="0">${message}</pre>`
        : ''
    }
  `;
}
