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
    const wanted = filter[key];
    return wanted === undefined || fits(call, key, wanted);
  });
}

function fits(call: ListedCall, key: FilterKey, wanted: string): boolean {
  switch (key) {
    case 'rule':
      return call.rules.some(({ rule }) => rule === wanted);
    case 'issue':
      return call.issues.includes(wanted);
    case 'text':
      return textsOf(call).some((text) => text.toLowerCase().includes(wanted.toLowerCase()));
    default:
      return call[key] === wanted;
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
