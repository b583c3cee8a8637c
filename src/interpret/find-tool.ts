import { normalizeKey } from '../json/value.ts';
import { nearestNames } from '../json/nearest-name.ts';
import { quote } from '../json/preview.ts';
import { notExecuted } from '../messages/call-messages.ts';

/** `resolved`: the model sent another spelling of `name`, the tool's own name. */
export type FoundTool<Tool> =
  | { readonly kind: 'exact' | 'resolved'; readonly name: string; readonly tool: Tool }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[]; readonly message: string };

/**
 * Finds a tool by its exact name, else by a spelling of it that fits exactly one tool: another case, or other separators (`_`, `-`,
 * `.`, whitespace, quotes). Similar names are only suggested.
 */
export function findTool<Tool>(tools: ReadonlyMap<string, Tool>, wanted: string): FoundTool<Tool> {
  const exact = tools.get(wanted);
  if (exact !== undefined) return { kind: 'exact', name: wanted, tool: exact };
  const normalized = normalizeKey(wanted);
  const alike = [...tools].filter(([name]) => normalized !== undefined && normalizeKey(name) === normalized);
  const [only] = alike;
  if (only !== undefined && alike.length === 1) return { kind: 'resolved', name: only[0], tool: only[1] };
  const names = [...tools.keys()];
  const suggestions = nearestNames(wanted, names);
  return { kind: 'unknown', suggestions, message: unknownToolMessage(wanted, names, suggestions) };
}

function unknownToolMessage(
  wanted: string,
  names: readonly string[],
  suggestions: readonly string[],
): string {
  const name = /^[\w.-]{1,64}$/.test(wanted) ? wanted : quote(wanted);
  const suggestion = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(' or ')}?`;
  const all = names.length === 0 ? 'There are no tools.' : `The tools are: ${listOf(names)}.`;
  return notExecuted(name, `There is no tool of this name.${suggestion}\n${all}`);
}

const longestList = 1_000;

/** As many names as fit, in their order, and how many are left out. */
function listOf(names: readonly string[]): string {
  let length = 0;
  const shown = names.filter((name) => (length += name.length + 2) <= longestList);
  const left = names.length - shown.length;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${left} more`;
}
