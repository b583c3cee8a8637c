// Which calls a list shows. The page has the filter in its address, and asks with the same words.
import { defined } from '../collections/objects.ts';
import { type CallFilter, type FilterKey, type ListedCall, filterKeys } from './page-data.ts';

/** The filter in the query of an address. */
export const filterIn = (query: URLSearchParams): CallFilter =>
  defined(
    Object.fromEntries(
      filterKeys.map((key) => {
        const value = query.get(key);
        return [key, value === null || value === '' ? undefined : value];
      }),
    ),
  );

export function matches(call: ListedCall, filter: CallFilter): boolean {
  return filterKeys.every((key) => {
    const wantedValue = filter[key];
    return wantedValue === undefined || fits(call, key, wantedValue);
  });
}

function fits(call: ListedCall, key: FilterKey, wantedValue: string): boolean {
  switch (key) {
    case 'rule':
      return call.rules.some(({ rule }) => rule === wantedValue);
    case 'issue':
      return call.issues.includes(wantedValue);
    case 'text':
      return textsOf(call).some((text) => text.toLowerCase().includes(wantedValue.toLowerCase()));
    default:
      return call[key] === wantedValue;
  }
}

const textsOf = ({ id, tool, model, run, error, rules, issues }: ListedCall): readonly string[] => [
  id,
  tool,
  model ?? '',
  run ?? '',
  error ?? '',
  ...rules.map(({ rule }) => rule),
  ...issues,
];
