import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import {
  type CallFilter,
  type FilterKey,
  type ListedCall,
  filterKeys,
} from '../src/page/page-data.ts';
import type { Rendered } from './parts.ts';

interface FilterBoxProps {
  readonly filter: CallFilter;
  readonly setFilter: (filter: CallFilter) => void;
  /** Suggestions come from them. */
  readonly calls: readonly ListedCall[];
}

const mostSuggested = 9;

export function FilterBox({ filter, setFilter, calls }: FilterBoxProps): Rendered {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const suggestions = isOpen ? suggestionsFor(text, calls) : [];
  const take = (word: string): void => {
    const part = partIn(word);
    if (part === undefined) return;
    const [key, value] = part;
    setText(value === '' ? `${key}:` : '');
    setChosen(0);
    if (value !== '') setFilter({ ...filter, [key]: value });
  };
  const onKey = (event: KeyboardEvent): void => {
    const suggestion = suggestions[chosen];
    if (event.key === 'Enter' || (event.key === 'Tab' && suggestion !== undefined)) {
      event.preventDefault();
      take(suggestion ?? text.trim());
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((chosen + by + suggestions.length) % Math.max(1, suggestions.length));
    } else if (event.key === 'Backspace' && text === '') {
      const last = filterKeys.findLast((key) => filter[key] !== undefined);
      if (last !== undefined) setFilter({ ...filter, [last]: undefined });
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (isOpen && suggestions.length > 0) setOpen(false);
      else document.querySelector<HTMLInputElement>('#q')?.blur();
    }
  };
  return html`<form
    class="filter"
    role="search"
    aria-label="Filter calls"
    onSubmit=${(event: Event) => event.preventDefault()}
  >
    <div class="box">
      <span class="chips">
        ${filterKeys
          .filter((key) => filter[key] !== undefined)
          .map(
            (key) =>
              html`<span class="chip">
                <code><i>${key}:</i>${filter[key]}</code>
                <button
                  type="button"
                  aria-label=${`Remove ${key}:${filter[key]}`}
                  onClick=${() => setFilter({ ...filter, [key]: undefined })}
                >
                  ×
                </button>
              </span>`,
          )}
      </span>
      <input
        id="q"
        type="text"
        role="combobox"
        aria-label="Filter: model, tool, status, rule, issue, run, or any text"
        aria-expanded=${suggestions.length > 0}
        aria-controls="sug"
        aria-autocomplete="list"
        aria-activedescendant=${suggestions.length > 0 ? `s${chosen}` : undefined}
        autocomplete="off"
        spellcheck=${false}
        placeholder=${filterKeys.some((key) => filter[key] !== undefined) ? '' : 'model:  tool:  status:  rule:  or text'}
        value=${text}
        onInput=${({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
          setText(currentTarget.value);
          setChosen(0);
          setOpen(true);
        }}
        onKeyDown=${onKey}
        onBlur=${() => setOpen(false)}
      />
      <kbd>/</kbd>
    </div>
    <ul id="sug" role="listbox" aria-label="Suggestions" hidden=${suggestions.length === 0}>
      ${suggestions.map(
        (word, index) =>
          html`<li
            role="option"
            id=${`s${index}`}
            aria-selected=${index === chosen}
            onMouseDown=${(event: Event) => {
              event.preventDefault();
              take(word);
            }}
          >
            <code>${word}</code>
          </li>`,
      )}
    </ul>
  </form>`;
}

/** `tool:edit`, or any text. */
function partIn(word: string): readonly [FilterKey, string] | undefined {
  if (word === '') return undefined;
  const at = word.indexOf(':');
  const key = filterKeys.find((one) => one === word.slice(0, Math.max(at, 0)));
  return key === undefined ? ['text', word] : [key, word.slice(at + 1).trim()];
}

function suggestionsFor(text: string, calls: readonly ListedCall[]): readonly string[] {
  if (text === '') return [];
  const part = partIn(text);
  if (part === undefined || part[0] === 'text')
    return filterKeys.filter((key) => key.startsWith(text)).map((key) => `${key}:`);
  const [key, value] = part;
  const values = new Set(calls.flatMap((call) => valuesOf(call, key)));
  return [...values]
    .filter((one) => one.toLowerCase().includes(value.toLowerCase()) && one !== value)
    .slice(0, mostSuggested)
    .map((one) => `${key}:${one}`);
}

function valuesOf(call: ListedCall, key: FilterKey): readonly string[] {
  if (key === 'rule') return call.rules.map(({ rule }) => rule);
  if (key === 'issue') return call.issues;
  if (key === 'text') return [];
  return [call[key] ?? []].flat();
}
