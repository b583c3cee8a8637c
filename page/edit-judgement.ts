// What a person types into fields, and what the server says of it.
import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '../src/json/value.ts';
import type { ArgumentEdit, EditJudgement } from '../src/page/decision-data.ts';
import type { EditedArguments } from './argument-table.ts';
import { retryMs } from './answers.ts';
import { judgeEdit } from './decisions.ts';
import { type Rendered, icon } from './parts.ts';
import { repairGroups } from './repair-groups.ts';
import { RepairList } from './repair-list.ts';
import { mayComeLater } from './server.ts';

export const noEdits: EditedArguments = new Map();

export function editOf(edited: EditedArguments): ArgumentEdit {
  const values = [...edited].flatMap(([name, typed]) =>
    typed.kind === 'value' ? [[name, typed.value] as const] : [],
  );
  const removed = [...edited].flatMap(([name, { kind }]) => (kind === 'absent' ? [name] : []));
  const json: JsonObject = JSON.parse(JSON.stringify(Object.fromEntries(values)));
  return { values: json, removed };
}

const hasUnreadable = (edited: EditedArguments): boolean =>
  [...edited.values()].some(({ kind }) => kind === 'unreadable');

/**
 * What is known of an edit. `unanswered`: the server couldn't judge it, and is asked again.
 * `refused`: it will not. Undefined: its answer has not come yet.
 */
type KnownJudgement = EditJudgement | 'unanswered' | 'refused' | undefined;

/**
 * The answer of the server about the edit as it is now. `isWhole`: what was typed is all that there
 * is, so that nothing typed is judged, too.
 */
export function useJudgement(id: string, edited: EditedArguments, isWhole = false): KnownJudgement {
  const [judged, setJudged] = useState<{
    readonly edited: EditedArguments;
    readonly judgement: KnownJudgement;
  }>();
  useEffect(() => {
    if ((edited.size === 0 && !isWhole) || hasUnreadable(edited)) return undefined;
    let isOver = false;
    const judge = (): void => {
      judgeEdit(id, editOf(edited)).then(
        (judgement) => setJudged({ edited, judgement }),
        (error: unknown) => {
          if (isOver) return;
          setJudged({ edited, judgement: mayComeLater(error) ? 'unanswered' : 'refused' });
          if (mayComeLater(error)) timer = setTimeout(judge, retryMs);
        },
      );
    };
    let timer = setTimeout(judge, typingMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, edited, isWhole]);
  return useMemo(
    () => (judged?.edited === edited ? judged.judgement : undefined),
    [judged, edited],
  );
}

/** Keys that follow each other within this time are judged together. */
const typingMs = 80;

const isJudged = (judgement: KnownJudgement): judgement is EditJudgement =>
  typeof judgement === 'object';

export const isPassing = (judgement: KnownJudgement): boolean =>
  isJudged(judgement) && judgement.status !== 'rejected';

export function problemsOf(
  edited: EditedArguments,
  judgement: KnownJudgement,
): ReadonlyMap<string, string> {
  const unreadable = [...edited].flatMap(([name, { kind }]) =>
    kind === 'unreadable' ? [[name, 'This is not JSON.'] as const] : [],
  );
  const issues = isJudged(judgement) ? judgement.issues : [];
  return new Map([...issues.map(({ name, text }) => [name, text] as const), ...unreadable]);
}

interface JudgementProps {
  readonly edited: EditedArguments;
  readonly judgement: KnownJudgement;
  /** What is said of an edit that passes. */
  readonly told: string;
}

export function Judgement({ edited, judgement, told }: JudgementProps): Rendered {
  if (edited.size === 0)
    return html`<p class="judge ok" role="status">${icon('valid')} Nothing changed yet.</p>`;
  if (hasUnreadable(edited))
    return html`<p class="judge bad" role="status">
      ${icon('rejected')} One argument is not JSON.
    </p>`;
  if (!isJudged(judgement)) return html`<${Unjudged} judgement=${judgement} />`;
  const { status, issues, repairs } = judgement;
  if (status === 'rejected') {
    const whole = issues.filter(({ name }) => name === '').map(({ text }) => text);
    const names = new Set(issues.map(({ name }) => name)).size;
    return html`<p class="judge bad" role="status">
      ${icon('rejected')}
      ${names === 1 ? 'One argument doesn’t pass.' : `${names} arguments don’t pass.`}
      ${whole.join(' ')} Judged as you type.
    </p>`;
  }
  return html`<p class="judge ok" role="status">
      ${icon(status)} Passes${status === 'repaired' ? ', after a repair' : ''}. ${told}
    </p>
    ${
      repairs.length === 0
        ? ''
        : html`<${RepairList} groups=${repairGroups(repairs)} />
            <p class="dim">Will run: <code>${judgement.arguments}</code></p>`
    }`;
}

interface UnjudgedProps {
  readonly judgement: Exclude<KnownJudgement, EditJudgement>;
}

function Unjudged({ judgement }: UnjudgedProps): Rendered {
  switch (judgement) {
    case 'unanswered':
      return html`<p class="judge bad" role="status">
        ${icon('failed')} The server couldn’t judge this. Trying again.
      </p>`;
    case 'refused':
      return html`<p class="judge bad" role="status">
        ${icon('failed')} The server refuses to judge this. Copy what you typed, and load the page
        again.
      </p>`;
    default:
      return html`<p class="judge" role="status">Judging …</p>`;
  }
}
