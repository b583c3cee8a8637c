// Does the model read what is wrong? Every failing place by its name, in few words.
import type { Issue, Rejected } from 'toolmend';
import { holdsIf, type JudgedCall, type Law } from './law.ts';
import { keysOf, valueAt, withValueAt } from './places.ts';

const longestMessage = 2000;
const mostIssues = 8;

export const messageNamesAll: Law = {
  id: 'message_names_all',
  title: 'the message of a rejected call names every failing place up to its limit, and is within it',
  judge(call) {
    const { result, contract } = call;
    if (result.status !== 'rejected') return 'silent';
    const breach = breachOf(result, contract.name) ?? keptQuiet(call, result);
    return holdsIf(breach === undefined, () => `${breach ?? ''}\n${result.message}`);
  },
};

function breachOf({ message, issues }: Rejected, tool: string): string | undefined {
  const [first, ...lines] = message.split('\n');
  if (message.length > longestMessage) return `it has ${message.length} characters`;
  if (first !== `${tool} was not executed.`) return 'it doesn’t say that nothing was executed';
  if (issues.length === 0) return 'there are no issues';
  const told = issueLines(lines);
  if (told.length === 0 || told.length > mostIssues) return `it tells of ${told.length} issues`;
  const unnamed = issues
    .map(shownPlace)
    .filter((place) => place !== undefined && !told.some((line) => line.startsWith(`- ${place}`)));
  return unnamed.length > 0 && told.length < mostIssues ? `it doesn’t name ${unnamed.join(', ')}` : undefined;
}

const issueLines = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('- ') && !/^- and \d+ more: /.test(line));

/** What is said of the call as a whole, wherever it was noticed. */
const ofWholeCall: ReadonlySet<string> = new Set(['not_plain', 'too_deep', 'too_large', 'budget_exceeded']);

/** How a place is to be named, written apart; undefined where it is the call as a whole, or has no plain name. */
function shownPlace({ path, key, keyword }: Issue): string | undefined {
  if (ofWholeCall.has(keyword)) return undefined;
  const keys = [...keysOf(path), ...(key === undefined || keyword === 'meta' ? [] : [key])];
  const isPlain = keys.length > 0 && keys.length <= 6 && keys.every((name) => /^[\w$-]{1,24}$/.test(name));
  if (!isPlain) return undefined;
  return keys
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('')
    .replace(/^\./, '');
}

/** What no issue is about must be mended for certain: in a call that is valid but for it, it is repaired. */
function keptQuiet(call: JudgedCall, { issues, message }: Rejected): string | undefined {
  const { base, judge, sent, interpret, contract } = call;
  const isFull = issueLines(message.split('\n')).length >= mostIssues;
  const isWhole = issues.some(({ path, key }) => path === '' && key === undefined);
  if (base === undefined || typeof sent.arguments === 'string' || isFull || isWhole) return undefined;
  const told = issues.map(({ path, key }) => [...keysOf(path), ...(key === undefined ? [] : [key])]);
  return judge.failingPlaces(sent.arguments).find((place) => {
    const keys = keysOf(place);
    const came = valueAt(sent.arguments, keys);
    const isTold = told.some((names) => names.every((name, at) => keys[at] === name || at >= keys.length));
    if (isTold || came === undefined || valueAt(base, keys) === undefined) return false;
    return interpret(contract, { arguments: withValueAt(base, keys, came) }).status === 'rejected';
  });
}
