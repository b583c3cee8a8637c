// A typed field for an argument.
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ArgumentKind, ArgumentRow } from './argument-rows.ts';
import type { Rendered } from './parts.ts';

/** A value that was typed. `unreadable`: what was typed is no JSON. */
export type TypedValue =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

interface FieldProps {
  readonly row: ArgumentRow;
  /** JSON text of the value; undefined: absent. */
  readonly text: string | undefined;
  readonly isInvalid: boolean;
  readonly set: (typed: TypedValue) => void;
}

type TargetEvent<Target> = { readonly currentTarget: Target };

const valueOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

/** What is typed stays as it is typed, while the row has what it means. */
export function ArgumentField({ row, text, isInvalid, set }: FieldProps): Rendered {
  const { kind } = row;
  if (kind.type === 'choice')
    return html`<${Choice} row=${row} choices=${kind.choices} text=${text} set=${set} />`;
  if (kind.type === 'boolean')
    return html`<${Choice} row=${row} choices=${[true, false]} text=${text} set=${set} />`;
  if (kind.type === 'texts' && isTexts(valueOf(text)))
    return html`<${Texts} row=${row} text=${text} set=${set} />`;
  return html`<${Typed} row=${row} text=${text} isInvalid=${isInvalid} set=${set} />`;
}

const common = ({ name }: ArgumentRow) => ({
  'data-argument': name,
  'aria-label': name,
  'aria-describedby': `e-${name}`,
});

function Typed({ row, text, isInvalid, set }: FieldProps): Rendered {
  const { kind, isRequired } = row;
  const [typed, setTyped] = useState(() => typedText(kind, text));
  const onInput = ({ currentTarget }: TargetEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    setTyped(currentTarget.value);
    set(meantBy(kind, currentTarget.value, isRequired));
  };
  return kind.type === 'number' || kind.type === 'integer'
    ? html`<input
        type="text"
        class="num mono"
        inputmode="decimal"
        autocomplete="off"
        aria-invalid=${isInvalid}
        ...${common(row)}
        value=${typed}
        onInput=${onInput}
      />`
    : html`<textarea
        class="mono"
        rows=${Math.min(12, typed.split('\n').length)}
        spellcheck=${kind.type === 'text'}
        aria-invalid=${isInvalid}
        ...${common(row)}
        value=${typed}
        onInput=${onInput}
      ></textarea>`;
}

/** Of a value that is not of its declared type, the JSON is edited. */
function typedText({ type }: ArgumentKind, text: string | undefined): string {
  const value = valueOf(text);
  return type === 'text' && typeof value === 'string' ? value : (text ?? '');
}

/** An empty field leaves an optional argument out. */
function meantBy(kind: ArgumentKind, typed: string, isRequired: boolean): TypedValue {
  if (typed === '' && !(isRequired && kind.type === 'text')) return { kind: 'absent' };
  if (kind.type === 'text') return { kind: 'value', value: typed };
  const isNumber = kind.type === 'number' || kind.type === 'integer';
  try {
    return { kind: 'value', value: JSON.parse(typed) };
  } catch {
    return isNumber ? { kind: 'value', value: typed } : { kind: 'unreadable' };
  }
}

interface ChoiceProps extends Omit<FieldProps, 'isInvalid'> {
  readonly choices: readonly unknown[];
}

function Choice({ row, choices, text, set }: ChoiceProps): Rendered {
  const texts = choices.map((choice) => JSON.stringify(choice));
  const shownTexts = text === undefined || texts.includes(text) ? texts : [text, ...texts];
  return html`<select
    class="mono"
    ...${common(row)}
    value=${text ?? ''}
    onChange=${({ currentTarget }: TargetEvent<HTMLSelectElement>) =>
      set(
        currentTarget.value === ''
          ? { kind: 'absent' }
          : { kind: 'value', value: JSON.parse(currentTarget.value) },
      )}
  >
    ${row.isRequired && text !== undefined ? '' : html`<option value="">not given</option>`}
    ${shownTexts.map((one) => {
      const value: unknown = JSON.parse(one);
      return html`<option value=${one}>${typeof value === 'string' ? value : one}</option>`;
    })}
  </select>`;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((element) => typeof element === 'string');

function Texts({ row, text, set }: Omit<FieldProps, 'isInvalid'>): Rendered {
  const value = valueOf(text);
  const elements = isTexts(value) ? value : [];
  const setElements = (next: readonly string[]): void => set({ kind: 'value', value: next });
  return html`<span class="arr">
    ${elements.map(
      (element, at) =>
        html`<span>
          <input
            type="text"
            class="mono"
            ...${at === 0 ? common(row) : { 'aria-label': `${row.name} ${at + 1}` }}
            value=${element}
            onInput=${({ currentTarget }: TargetEvent<HTMLInputElement>) =>
              setElements(elements.with(at, currentTarget.value))}
          />
          <button
            type="button"
            aria-label=${`Remove ${row.name} ${at + 1}`}
            onClick=${() => setElements(elements.toSpliced(at, 1))}
          >
            ×
          </button>
        </span>`,
    )}
    <button type="button" class="btn xs" onClick=${() => setElements([...elements, ''])}>
      Add
    </button>
  </span>`;
}
