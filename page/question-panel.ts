// A call whose tool has asked a person.
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ArgumentField, type TypedValue } from './argument-field.ts';
import { type ArgumentRow, argumentRows, describedKind } from './argument-rows.ts';
import { ArgumentTable } from './argument-table.ts';
import { DecisionHead, Expiry } from './decision-head.ts';
import type { ReadCase } from './decisions.ts';
import {
  Judgement,
  editOf,
  isPassing,
  noEdits,
  problemsOf,
  useJudgement,
} from './edit-judgement.ts';
import type { PageDecision } from '../src/page/decision-data.ts';
import { useKeys } from './keyboard.ts';
import { type Rendered, button } from './parts.ts';
import { repairGroups } from './repair-groups.ts';
import { RepairList } from './repair-list.ts';

interface QuestionProps {
  readonly read: ReadCase;
  readonly decide: (decision: PageDecision) => void;
  /** A decision is on its way. */
  readonly isDeciding: boolean;
}

export function QuestionPanel({ read, decide, isDeciding }: QuestionProps): Rendered {
  const { decision, detail } = read;
  const { question, obstacle, expiresAt } = decision;
  const [typed, setTyped] = useState(noEdits);
  const judgement = useJudgement(decision.id, typed, true);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-argument]')?.focus(), []);
  const mayDecide = obstacle === undefined && question !== undefined && !isDeciding;
  const mayAnswer = mayDecide && isPassing(judgement);
  const answer = (): void => {
    if (mayAnswer)
      decide({ decision: 'answer', question: question.id, content: editOf(typed).values });
  };
  const decline = (): void => {
    if (mayDecide) decide({ decision: 'decline', question: question.id });
  };
  useKeys({ d: mayDecide ? decline : undefined });
  // What nobody has typed yet is no mistake of theirs.
  const problems = new Map([...problemsOf(typed, judgement)].filter(([name]) => typed.has(name)));
  const groups = repairGroups(detail.repairs);
  return html`<div class="case-body">
    <${DecisionHead} decision=${decision} />
    <form
      class="ask"
      ref=${form}
      aria-labelledby="h-question"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        answer();
      }}
      onKeyDown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) answer();
        if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
      }}
    >
      <h3 id="h-question">${question?.text ?? 'The question holds secrets.'}</h3>
      <fieldset disabled=${!mayDecide}>
        ${rowsOf(question?.schema).map(
          (row) =>
            html`<${Field}
              key=${row.name}
              row=${row}
              description=${descriptionOf(question?.schema, row.name)}
              text=${textOf(typed.get(row.name))}
              problem=${problems.get(row.name)}
              set=${(next: TypedValue) => setTyped(new Map([...typed, [row.name, next]]))}
            />`,
        )}
      </fieldset>
      ${
        typed.size === 0
          ? ''
          : html`<${Judgement} edited=${typed} judgement=${judgement} told="The tool gets it." />`
      }
      <h3>The call that asks</h3>
      <${ArgumentTable}
        rows=${argumentRows(decision, detail, detail.sent)}
        edited=${noEdits}
        editing=${undefined}
      />
      ${groups.length === 0 ? '' : html`<${RepairList} groups=${groups} />`}
      <div class="actbar">
        ${button({
          label: 'Answer',
          shortcut: 'Ctrl ⏎',
          kind: 'primary',
          does: answer,
          disabled: !mayAnswer,
        })}
        ${button({ label: 'Decline', shortcut: 'd', kind: 'danger', does: decline, disabled: !mayDecide })}
        <${Expiry} expiresAt=${expiresAt} afterwards="the tool goes on without an answer" />
      </div>
    </form>
  </div>`;
}

/** The members of the answer. */
const rowsOf = (schema: object | undefined): readonly ArgumentRow[] =>
  argumentRows(
    { arguments: '{}', withheld: [], metaKeys: [], ...(schema === undefined ? {} : { schema }) },
    { repairs: [] },
    '{}',
  );

/** JSON text of what was typed. */
const textOf = (typed: TypedValue | undefined): string | undefined =>
  typed?.kind === 'value' ? JSON.stringify(typed.value) : undefined;

function descriptionOf(schema: object | undefined, name: string): string | undefined {
  const properties: unknown = Reflect.get(Object(schema), 'properties');
  const property: unknown = Reflect.get(Object(properties), name);
  const description: unknown = Reflect.get(Object(property), 'description');
  return typeof description === 'string' ? description : undefined;
}

interface FieldProps {
  readonly row: ArgumentRow;
  readonly description: string | undefined;
  readonly text: string | undefined;
  readonly problem: string | undefined;
  readonly set: (typed: TypedValue) => void;
}

const Field = ({ row, description, text, problem, set }: FieldProps): Rendered =>
  html`<div class="field">
    <span class="field-name"><code>${row.name}</code> <small>${describedKind(row)}</small></span>
    ${description === undefined ? '' : html`<p class="dim">${description}</p>`}
    <${ArgumentField} row=${row} text=${text} isInvalid=${problem !== undefined} set=${set} />
    <small class="err" id=${`e-${row.name}`} role="alert">${problem ?? ''}</small>
  </div>`;
