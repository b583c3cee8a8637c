import { html } from 'htm/preact';
import { ArgumentField, type TypedValue } from './argument-field.ts';
import { type ArgumentRow, describedKind } from './argument-rows.ts';
import type { Rendered } from './parts.ts';

/** An argument that a person has changed. */
export type EditedArguments = ReadonlyMap<string, TypedValue>;

interface ArgumentTableProps {
  readonly rows: readonly ArgumentRow[];
  readonly edited: EditedArguments;
  /** Undefined: nothing is edited now. */
  readonly editing:
    | {
        readonly set: (name: string, typed: TypedValue) => void;
        /** What is wrong, by argument. */
        readonly problems: ReadonlyMap<string, string>;
      }
    | undefined;
}

/** One table: argument, sent, will run. Editing turns the last column into fields. */
export const ArgumentTable = ({ rows, edited, editing }: ArgumentTableProps): Rendered =>
  html`<table class="args">
    <thead>
      <tr>
        <th scope="col">Argument</th>
        <th scope="col">The model sent</th>
        <th scope="col">${editing === undefined ? 'Will run' : 'Will run, as you edit it'}</th>
      </tr>
    </thead>
    <tbody>
      ${rows
        .filter((row) => editing !== undefined || isGiven(row) || edited.has(row.name))
        .map(
          (row) =>
            html`<${Row}
              key=${row.name}
              row=${row}
              typed=${edited.get(row.name)}
              editing=${editing}
            />`,
        )}
    </tbody>
  </table>`;

const isGiven = ({ sentText, runText }: ArgumentRow): boolean =>
  sentText !== undefined || runText !== undefined;

interface RowProps extends Pick<ArgumentTableProps, 'editing'> {
  readonly row: ArgumentRow;
  readonly typed: TypedValue | undefined;
}

function Row({ row, typed, editing }: RowProps): Rendered {
  const { name, isChanged, isWithheld, isInText, sentName } = row;
  const problem = editing?.problems.get(name);
  const names = `${isChanged ? 'ch' : ''} ${typed === undefined ? '' : 'mine'}`;
  return html`<tr class=${names}>
    <th scope="row">
      <code>${name}</code>
      <small>${describedKind(row)}</small>
    </th>
    <td data-l="sent">
      ${isChanged ? html`<span class="mk" aria-hidden="true">−</span>` : ''}
      ${sentName === undefined ? '' : html`<small class="dim as">as <code>${sentName}</code></small>`}
      ${
        isInText
          ? html`<span class="dim">in the text above</span>`
          : html`<${Value} row=${row} text=${row.sentText} tag=${isChanged ? 'del' : ''} />`
      }
    </td>
    <td data-l="will run">
      ${isChanged ? html`<span class="mk" aria-hidden="true">+</span>` : ''}
      ${
        editing === undefined || isWithheld
          ? html`<${WillRun} row=${row} typed=${typed} />`
          : html`<${ArgumentField}
              row=${row}
              text=${textOf(row, typed)}
              isInvalid=${problem !== undefined}
              set=${(next: TypedValue) => editing.set(name, next)}
            />`
      }
      ${
        isWithheld && editing !== undefined
          ? html`<small class="dim as">It looks like a secret, and stays as it was sent.</small>`
          : ''
      }
      ${typed === undefined ? '' : html`<small class="by">edited by you</small>`}
      <small class="err" id=${`e-${name}`} role="alert">${problem ?? ''}</small>
    </td>
  </tr>`;
}

/** JSON text of an argument as it is after the edit. */
const textOf = ({ runText }: ArgumentRow, typed: TypedValue | undefined): string | undefined =>
  typed === undefined || typed.kind === 'unreadable'
    ? runText
    : typed.kind === 'absent'
      ? undefined
      : JSON.stringify(typed.value);

function WillRun({ row, typed }: Omit<RowProps, 'editing'>): Rendered {
  const { isChanged, marks } = row;
  if (typed !== undefined) return html`<${Value} row=${row} text=${textOf(row, typed)} tag="" />`;
  return html`<${Value} row=${row} text=${row.runText} tag=${isChanged ? 'ins' : ''} />
    ${isChanged ? marks.map((mark) => html`<sup class="rn" title=${`Repair ${mark}`}>${mark}</sup>`) : ''}`;
}

interface ValueProps {
  readonly row: ArgumentRow;
  readonly text: string | undefined;
  readonly tag: 'del' | 'ins' | '';
}

const longText = 400;

function Value({ row, text, tag }: ValueProps): Rendered {
  if (text === undefined) return html`<span class="dim">not given</span>`;
  if (row.isWithheld)
    return html`<span
      class="secret"
      role="img"
      aria-label="left out, because it looks like a secret"
      >••••••</span
    >`;
  const code =
    text.length <= longText
      ? html`<code class="v">${text}</code>`
      : html`<code class="v">${text.slice(0, longText)}</code>
          <details class="more">
            <summary>${text.length - longText} more characters</summary>
            <code class="v">${text.slice(longText)}</code>
          </details>`;
  return tag === 'del' ? html`<del>${code}</del>` : tag === 'ins' ? html`<ins>${code}</ins>` : code;
}
