import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import {
  type CallFilter,
  type FilterKey,
  type ListedCall,
  filterKeys,
} from '../src/page/page-data.ts';
import type { Rendered } from './parts.ts';
import { suggestionsFor, typedFilter } from './typed-filter.ts';

interface FilterBoxProps {
  readonly filter: CallFilter;
  readonly setFilter: (filter: CallFilter) => void;
  /** Suggestions come from them. */
  readonly calls: readonly ListedCall[];
}

export function FilterBox({ filter, setFilter, calls }: FilterBoxProps): Rendered {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const knownValues = (key: FilterKey): readonly string[] =>
    calls.flatMap((call) => valuesOf(call, key));
  const suggestions = isOpen ? suggestionsFor(text, knownValues) : [];
  const take = (line: string): void => {
    const addedFilter = typedFilter(line, knownValues);
    // A key waits for its value.
    const isComplete =
      filterKeys.some((key) => addedFilter[key] !== undefined) && !line.endsWith(':');
    setText(isComplete ? '' : line);
    setChosen(0);
    if (isComplete) setFilter({ ...filter, ...addedFilter });
  };
  const onKey = (event: KeyboardEvent): void => {
    const suggestion = suggestions[chosen];
    if (event.key === 'Enter' || (event.key === 'Tab' && suggestion !== undefined)) {
      event.preventDefault();
      take(suggestion?.line ?? text.trim());
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
        ({ word, line }, index) =>
          html`<li
            role="option"
            id=${`s${index}`}
            aria-selected=${index === chosen}
            onMouseDown=${(event: Event) => {
              event.preventDefault();
              take(line);
            }}
          >
            <code>${word}</code>
          </li>`,
      )}
    </ul>
  </form>`;
}

function valuesOf(call: ListedCall, key: FilterKey): readonly string[] {
  if (key === 'rule') return call.rules.map(({ rule }) => rule);
  if (key === 'issue') return call.issues;
  if (key === 'text') return [];
  return [call[key] ?? []].flat();
}
