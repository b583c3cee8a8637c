import { pointerKeys } from '../json/json-pointer.ts';
import { displayPath } from '../json/preview.ts';
import {
  type Issue,
  type Repetition,
  closingOfRepetition,
  internalErrorMessage,
  isInternalError,
  repetitionSentence,
} from './issue.ts';

// The one place where issues become sentences.
/** Characters of a message, at most. */
const longestMessage = 2000;
const mostIssues = 8;
/** Beside a whole schema. */
const mostIssuesOfRepetition = 4;
const longestLine = 220;

export interface Rejection {
  readonly tool: string;
  readonly issues: readonly Issue[];
  /** JSON Pointer of the failing place that shape and example are of; absent: the arguments as a whole. */
  readonly place?: string;
  /** The shape of the arguments at the failing place. */
  readonly shape?: string;
  /** JSON that the validator accepts there. */
  readonly example?: string;
  /** JSON of the call that repair would have made, where it may not act unasked. */
  readonly wouldBe?: { readonly json: string; readonly secrets: 'none' | 'described' };
}

/** The same call once more. */
export interface RepeatedRejection extends Repetition {
  /** The whole schema in words of at most so many characters; undefined where there is no room for it. */
  readonly schemaWithin: (longest: number) => string | undefined;
}

/** Short, and the same for the same rejection. */
export function rejectionMessage(rejection: Rejection, repeated?: RepeatedRejection): string {
  const { tool, issues } = rejection;
  if (isInternalError(issues)) return internalErrorMessage(tool);
  const lines = issueLines(issues, repeated === undefined ? mostIssues : mostIssuesOfRepetition);
  const again = repeated === undefined ? [] : [repetitionSentence(repeated)];
  const parts = [`${tool} was not executed.`, ...again, ...lines];
  const closing = closingOf(rejection, repeated);
  const lengthWith = (part: string): number => [...parts, part, closing].join('\n').length;
  for (const part of shownParts(rejection, repeated, longestMessage - lengthWith(''))) {
    if (lengthWith(part) <= longestMessage) parts.push(part);
  }
  return cut([...parts, closing].join('\n'), longestMessage);
}

const isOver = (repeated: Repetition | undefined): boolean =>
  repeated !== undefined && repeated.times >= repeated.limit;

/** How the arguments should look: an excerpt, for the same call again the whole, and for one that is over nothing. */
function shownParts(
  rejection: Rejection,
  repeated: RepeatedRejection | undefined,
  room: number,
): readonly string[] {
  if (isOver(repeated)) return [];
  const { shape } = rejection;
  const excerpt = shape === undefined ? [] : [`Expected${thereOf(rejection)}: ${cut(shape, 600)}`];
  const whole = repeated?.schemaWithin(room);
  const { example } = rejection;
  const examples = example === undefined ? [] : [`For example${thereOf(rejection)}: ${example}`];
  return [...(whole === undefined ? excerpt : [whole]), ...examples];
}

function closingOf({ wouldBe }: Rejection, repeated: Repetition | undefined): string {
  if (wouldBe !== undefined && !isOver(repeated)) {
    const how = wouldBe.secrets === 'none' ? 'exactly' : 'exactly this, with the secrets themselves in it';
    return `If this is what you mean, send ${how}: ${wouldBe.json}`;
  }
  return repeated === undefined ? sendAgain : closingOfRepetition(repeated, 'issues');
}

/** The most important first. */
function issueLines(issues: readonly Issue[], most: number): readonly string[] {
  const sorted = issues.toSorted((left, right) => weightOf(left) - weightOf(right));
  const lines = new Map(sorted.map((issue) => [lineOf(issue), issue] as const));
  const shown = [...lines.keys()].slice(0, most);
  const left = [...lines.values()].slice(most);
  return left.length === 0 ? shown : [...shown, lineOfOthers(left)];
}

/** Where the others are, as far as there is room. */
function lineOfOthers(issues: readonly Issue[]): string {
  const places = [...new Set(issues.map(placeOf))];
  return cut(`- and ${issues.length} more: ${places.join(', ')}`, longestLine);
}

const thereOf = ({ place }: Rejection): string => (place === undefined ? '' : atPlace(place));

const atPlace = (path: string): string => (path === '' ? '' : ` at ${displayPath(pointerKeys(path))}`);

const sendAgain = 'Send the whole call again with corrected arguments.';

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** What must be known first comes first: the text, then keys, then types, then the rest. */
function weightOf({ keyword }: Issue): number {
  if (wholeCall.has(keyword)) return 0;
  if (keyword === 'additionalProperties' || keyword === 'misspelt' || keyword === 'duplicate_key') return 1;
  if (keyword === 'required') return 2;
  return keyword === 'type' ? 3 : 4;
}

const wholeCall: ReadonlyMap<string, string> = new Map([
  ['not_json', 'The arguments are not valid JSON'],
  ['not_sent', 'No arguments were sent'],
  ['truncated', 'The arguments were cut off before their end'],
  ['too_large', 'The arguments are too long'],
  ['too_deep', 'The arguments are nested too deeply'],
  ['invalid_utf8', 'The arguments are not valid UTF-8'],
  ['not_plain', 'The arguments are not plain JSON data'],
  ['budget_exceeded', 'The arguments have too many mistakes to look at'],
  [
    'not_confirmed',
    'The arguments had to be repaired, and this tool does not run on repaired arguments unasked',
  ],
]);

function lineOf(issue: Issue): string {
  if (issue.keyword === 'check') return sentence(checkText(issue));
  const whole = wholeCall.get(issue.keyword);
  if (issue.keyword === 'not_plain') return sentence(`${whole}${atPlace(issue.path)}`);
  return sentence(`${whole ?? `${placeOf(issue)}${problemOf(issue)}`}${detailsOf(issue)}`);
}

/** What is wrong, for those who say the place themselves. */
export function issueText(issue: Issue): string {
  if (issue.keyword === 'check') return cut(issue.advice ?? '', longestLine);
  const problem = wholeCall.get(issue.keyword) ?? problemOf(issue).trimStart();
  return cut(`${problem}${detailsOf(issue)}`.replace(/^[:,;] /, ''), longestLine);
}

/** What is said below the issues: how the arguments should look, and what to send. */
export const rejectionAdvice = (rejection: Rejection): string =>
  [...shownParts(rejection, undefined, 0), closingOf(rejection, undefined)].join('\n');

function detailsOf({ expected, received, advice }: Issue): string {
  const parts = [
    expected === undefined ? '' : `: expected ${expected}`,
    received === undefined ? '' : `, got ${received}`,
    advice === undefined ? '' : `; ${advice}`,
  ];
  return parts.join('');
}

/** The author's sentence stands alone, or behind the place that it is about. */
const checkText = (issue: Issue): string =>
  issue.path === '' ? (issue.advice ?? '') : `${placeOf(issue)}: ${issue.advice ?? ''}`;

/** An author's own text may bring its full stop, a suggestion its question mark. */
const sentence = (text: string): string => cut(`- ${text}${/[.?!]$/.test(text) ? '' : '.'}`, longestLine);

function placeOf({ path, key, keyword }: Issue): string {
  const keys = pointerKeys(path);
  const all = key === undefined || keyword === 'meta' ? keys : [...keys, key];
  return all.length === 0 ? 'arguments' : displayPath(all);
}

const problems: ReadonlyMap<string, string> = new Map([
  ['required', ' is missing'],
  ['dependentRequired', ' is missing'],
  ['additionalProperties', ' is unknown'],
  ['unevaluatedProperties', ' is unknown'],
  ['misspelt', ' is another spelling of a declared key'],
  ['duplicate_key', ' was sent twice with different values'],
  ['unsafe_number', ' has more digits than a number keeps'],
  ['path', ' is a markdown link'],
  ['meta', ' can’t be used'],
]);

const problemOf = ({ keyword }: Issue): string => problems.get(keyword) ?? '';
