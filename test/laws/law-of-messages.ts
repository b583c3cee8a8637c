import type { Issue, Rejected } from 'toolmend';
import { holdsIf, type JudgedCall, type Law } from './law.ts';
import { keysOf, valueAt, withValueAt } from './locations.ts';

const longestMessage = 2000;
const mostIssues = 8;

export const messageNamesAll: Law = {
  id: 'message_names_all',
  title:
    'the message of a rejected call names every failing location up to its limit, and is within it',
  judge(call) {
    const { result, contract } = call;
    if (result.status !== 'rejected') return 'silent';
    const breach = breachOf(result, contract.name) ?? unnamedFailure(call, result);
    return holdsIf(breach === undefined, () => `${breach ?? ''}\n${result.message}`);
  },
};

function breachOf({ message, issues }: Rejected, tool: string): string | undefined {
  const [first, ...lines] = message.split('\n');
  if (message.length > longestMessage) return `it has ${message.length} characters`;
  if (first !== `${tool} was not executed.`) return 'it does not say that nothing was executed';
  if (issues.length === 0) return 'there are no issues';
  const named = issueLines(lines);
  if (named.length === 0 || named.length > mostIssues) return `it names ${named.length} issues`;
  const unnamed = issues
    .map(shownLocation)
    .filter(
      (location) =>
        location !== undefined && !named.some((line) => line.startsWith(`- ${location}`)),
    );
  const isComplete = unnamed.length === 0 || named.length >= mostIssues;
  return isComplete ? undefined : `it doesn't name ${unnamed.join(', ')}`;
}

const issueLines = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('- ') && !/^- and \d+ more: /.test(line));

/** Issues of the call as a whole, wherever they were found. */
const ofWholeCall: ReadonlySet<string> = new Set([
  'not_plain',
  'too_deep',
  'too_large',
  'budget_exceeded',
]);

/**
 * The name of a location in messages; undefined for the call as a whole, and for one without a
 * plain name.
 */
function shownLocation({ path, key, keyword }: Issue): string | undefined {
  if (ofWholeCall.has(keyword)) return undefined;
  const keys = [...keysOf(path), ...(key === undefined || keyword.endsWith('meta') ? [] : [key])];
  const isPlain =
    keys.length > 0 && keys.length <= 6 && keys.every((name) => /^[\w$-]{1,24}$/.test(name));
  if (!isPlain) return undefined;
  return keys
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('')
    .replace(/^\./, '');
}

/**
 * A failure that no issue names is certain to be repaired: it is, in a call that is valid
 * otherwise.
 */
function unnamedFailure(call: JudgedCall, { issues, message }: Rejected): string | undefined {
  const { base, validator, sent, interpret, contract } = call;
  const isFull = issueLines(message.split('\n')).length >= mostIssues;
  const isWhole = issues.some(({ path, key }) => path === '' && key === undefined);
  if (base === undefined || typeof sent.arguments === 'string' || isFull || isWhole)
    return undefined;
  const named = issues.map(({ path, key }) => [
    ...keysOf(path),
    ...(key === undefined ? [] : [key]),
  ]);
  return validator.failingLocations(sent.arguments).find((pointer) => {
    const keys = keysOf(pointer);
    const isNamed = named.some((names) =>
      names.every((name, at) => keys[at] === name || at >= keys.length),
    );
    if (isNamed || valueAt(sent.arguments, keys) === undefined || valueAt(base, keys) === undefined)
      return false;
    // What is around it may be repaired as a whole: an array in an array, for example.
    return keys.every((_key, at) => {
      const place = keys.slice(0, at + 1);
      const member = valueAt(sent.arguments, place) ?? null;
      const around = place.slice(0, -1);
      const list: unknown = valueAt(base, around);
      // Elements that are named will be others, so that a repaired element may equal what was meant
      // for one of them.
      const kept = Array.isArray(list)
        ? list.flatMap((element, index) => {
            if (String(index) === place.at(-1)) return [member];
            const other = [...around, String(index)];
            const isOther = named.some((names) =>
              other.every((name, depth) => names[depth] === name),
            );
            return isOther ? [] : [element];
          })
        : undefined;
      const alone = withValueAt(base, place, member);
      const calls = kept === undefined ? [alone] : [alone, withValueAt(base, around, kept)];
      return calls.every(
        (sentAgain) => interpret(contract, { arguments: sentAgain }).status === 'rejected',
      );
    });
  });
}
