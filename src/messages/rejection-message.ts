import { pointerKeys } from '../json/pointers.ts';
import { displayPath } from '../json/preview.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import type { ContractValidator } from '../validate/validator.ts';
import {
  type Repetition,
  answeredAgain,
  internalErrorMessage,
  isOver,
  notExecuted,
  repetitionAdvice,
  repetitionSentence,
  stopAnswering,
} from './call-messages.ts';
import {
  type Correction,
  type Rejection,
  type ProviderMapping,
  callToConfirm,
  correctionOf,
} from './correction.ts';
import { modelSchema } from './describe-tool.ts';
import { type Issue, isAboutMeta, isInternalError } from './issue.ts';

const maxMessageLength = 2000;
const maxIssues = 8;
/** Of a message that also shows the whole schema. */
const maxIssuesOfRepetition = 4;
const maxLineLength = 220;
const maxShapeLength = 600;

/** The words for what the model sent. */
interface Subject {
  readonly name: string;
  /** Problems of all that was sent, by keyword. */
  readonly problems: ReadonlyMap<string, string>;
  readonly sendAgain: string;
}

export interface Wording {
  /** For a call that failed in the same way before. */
  readonly repetition?: Repetition | undefined;
  /** The arguments as the provider shows them. Default: as they are. */
  readonly mapping?: ProviderMapping | undefined;
  /** The provider's name of the tool. Default: the tool's own. */
  readonly toolName?: string | undefined;
}

/**
 * The message of a rejected call: that nothing ran, the issues, what is expected, and what to do.
 */
export function rejectionMessage(
  validator: ContractValidator,
  rejection: Rejection,
  wording: Wording = {},
): string {
  const { repetition, toolName: tool = validator.contract.name } = wording;
  if (isInternalError(rejection.issues)) return internalErrorMessage(tool);
  const correction = correctionOf(validator, rejection.issues, wording.mapping);
  const lines = issueLines(
    correction.issues,
    repetition === undefined ? maxIssues : maxIssuesOfRepetition,
  );
  const repetitionSentences = repetition === undefined ? [] : [repetitionSentence(repetition)];
  const parts = [notExecuted(tool, [...repetitionSentences, ...lines].join('\n'))];
  const closing = closingOf(validator, rejection, wording);
  const expectedLines =
    repetition === undefined
      ? correctionLines(correction)
      : repeatedLines(
          validator,
          correction,
          wording,
          maxMessageLength - [...parts, '', closing].join('\n').length,
        );
  return whole(parts, expectedLines, closing);
}

/** The parts of the message, for callers that report each issue separately. */
export function rejectionParts(
  validator: ContractValidator,
  rejection: Rejection,
  wording: Wording = {},
): { readonly issues: readonly Issue[]; readonly advice: string } {
  const correction = correctionOf(validator, rejection.issues, wording.mapping);
  const advice = [...correctionLines(correction), closingOf(validator, rejection, wording)].join(
    '\n',
  );
  return { issues: correction.issues, advice };
}

/**
 * The message about an answer that is not a tool call: the issues, what is expected, and what to
 * do.
 */
export function answerMessage(
  validator: ContractValidator,
  rejection: Rejection,
  { mapping, repetition }: Pick<Wording, 'mapping' | 'repetition'>,
): string {
  if (isInternalError(rejection.issues))
    return 'The answer could not be checked: an internal error occurred.';
  const correction = correctionOf(validator, rejection.issues, mapping);
  const lines = issueLines(correction.issues, maxIssues, answer);
  const isLast = repetition !== undefined && isOver(repetition);
  const closing = isLast ? stopAnswering : closingOf(validator, rejection, { mapping }, answer);
  const repetitionSentences = repetition === undefined ? [] : [answeredAgain(repetition)];
  return whole(
    ['The answer was not accepted.', ...repetitionSentences, ...lines],
    isLast ? [] : correctionLines(correction),
    closing,
  );
}

/** A message with as many of the expected parts as there is room for. */
function whole(
  parts: readonly string[],
  expectedLines: readonly string[],
  closing: string,
): string {
  const lines = [...parts];
  for (const part of expectedLines)
    if ([...lines, part, closing].join('\n').length <= maxMessageLength) lines.push(part);
  return truncate([...lines, closing].join('\n'), maxMessageLength);
}

function correctionLines({ location, shape, example }: Correction): readonly string[] {
  const at = atLocation(location);
  return [
    `Expected${at}: ${truncate(shape, maxShapeLength)}`,
    ...(example === undefined ? [] : [`Example${at}: ${example}`]),
  ];
}

/** The full schema instead of the shape, if there is room; nothing if the model has to stop. */
function repeatedLines(
  { contract }: ContractValidator,
  correction: Correction,
  { repetition, mapping }: Wording,
  room: number,
): readonly string[] {
  if (repetition !== undefined && isOver(repetition)) return [];
  const [shape = '', ...example] = correctionLines(correction);
  const start = 'Full JSON Schema of the arguments';
  const compact = compactSchema(mapping?.schema ?? modelSchema(contract), room - start.length - 40);
  if (compact === undefined) return [shape, ...example];
  const { text, leftOut } = compact;
  return [`${start}${leftOut === 'nothing' ? '' : ` (without ${leftOut})`}: ${text}`, ...example];
}

function closingOf(
  validator: ContractValidator,
  { wouldBe, meta }: Rejection,
  { repetition, mapping }: Wording,
  subject: Subject = callArguments,
): string {
  const isLast = repetition !== undefined && isOver(repetition);
  const call =
    wouldBe === undefined || isLast
      ? undefined
      : callToConfirm(validator, { wouldBe, meta }, mapping);
  if (call !== undefined) {
    const how =
      call.secrets === 'none' ? 'exactly' : 'exactly this, with the secrets themselves in it';
    return `If this is what you mean, send ${how}: ${call.json}`;
  }
  if (repetition !== undefined) return repetitionAdvice(repetition, 'listed');
  return subject.sendAgain;
}

/** Characters of a shortened description. */
const maxDescriptionLength = 60;

/** JSON of a schema, and what it leaves out to save room. */
interface CompactSchema {
  readonly text: string;
  readonly leftOut: 'nothing' | 'long descriptions' | 'descriptions';
}

/**
 * The schema in at most `longest` characters: as it is; else without titles and examples, with
 * short descriptions; else without descriptions. undefined if that is too long, too.
 */
function compactSchema(schema: SchemaObject, longest: number): CompactSchema | undefined {
  const forms: readonly CompactSchema[] = [
    { text: JSON.stringify(schema), leftOut: 'nothing' },
    {
      text: JSON.stringify(withDescriptions(schema, maxDescriptionLength)),
      leftOut: 'long descriptions',
    },
    { text: JSON.stringify(withDescriptions(schema, 0)), leftOut: 'descriptions' },
  ];
  return forms.find(({ text }) => text.length <= longest);
}

const dispensable = new Set<unknown>([
  '$schema',
  '$id',
  '$comment',
  'title',
  'examples',
  'example',
  'deprecated',
  'markdownDescription',
]);

/** Leaves out keywords, not properties with the same names. */
function withDescriptions(schema: SchemaObject, longest: number): SchemaObject {
  const entries = Object.entries(schema).flatMap(
    ([keyword, value]): readonly (readonly [string, unknown])[] => {
      if (dispensable.has(keyword)) return [];
      if (keyword !== 'description' || typeof value !== 'string') return [[keyword, value]];
      return longest === 0 ? [] : [[keyword, truncate(value, longest)]];
    },
  );
  return mapSubschemas(Object.fromEntries(entries), (subschema) =>
    withDescriptions(subschema, longest),
  );
}

/**
 * One line for each issue, most important first. The last line has only the locations of further
 * issues.
 */
function issueLines(
  issues: readonly Issue[],
  most: number,
  subject = callArguments,
): readonly string[] {
  const sortedIssues = issues.toSorted((left, right) => weightOf(left) - weightOf(right));
  // `expected` describes a location completely, so one line is enough for several failures there.
  const distinct = new Map<string, Issue>();
  for (const issue of sortedIssues) {
    const id =
      issue.expected === undefined
        ? lineOf(issue, subject)
        : JSON.stringify([locationOf(issue, subject), issue.expected]);
    if (!distinct.has(id)) distinct.set(id, issue);
  }
  const others = [...distinct.values()].slice(most);
  const lines = [...distinct.values()].slice(0, most).map((issue) => lineOf(issue, subject));
  if (others.length === 0) return lines;
  const locations = [...new Set(others.map((issue) => locationOf(issue, subject)))].join(', ');
  return [...lines, truncate(`- and ${others.length} more: ${locations}`, maxLineLength)];
}

/**
 * The order of issues: the call as a whole, keys, types, the rest. Earlier ones often cause later
 * ones.
 */
function weightOf({ keyword }: Issue): number {
  if (callArguments.problems.has(keyword)) return 0;
  if (
    ['additionalProperties', 'unevaluatedProperties', 'misspelt', 'duplicate_key'].includes(keyword)
  )
    return 1;
  if (keyword === 'required') return 2;
  return keyword === 'type' ? 3 : 4;
}

function lineOf(issue: Issue, subject: Subject): string {
  const { keyword, path, advice = '' } = issue;
  if (keyword === 'check')
    return sentence(path === '' ? advice : `${locationOf(issue, subject)}: ${advice}`);
  const words = subject.problems.get(keyword);
  if (keyword === 'not_plain') return sentence(`${words}${atLocation(path)}`);
  return sentence(
    `${words ?? `${locationOf(issue, subject)}${problemOf(issue)}`}${detailsOf(issue)}`,
  );
}

/** An issue in words, without its location. */
export function issueText(issue: Issue): string {
  const { keyword, advice = '' } = issue;
  if (keyword === 'check') return truncate(advice, maxLineLength);
  const problem = callArguments.problems.get(keyword) ?? problemOf(issue).trimStart();
  return truncate(`${problem}${detailsOf(issue)}`.replace(/^[:,;] /, ''), maxLineLength);
}

const detailsOf = ({ expected, received, advice }: Issue): string =>
  [
    expected === undefined ? '' : `: expected ${expected}`,
    received === undefined ? '' : `, got ${received}`,
    advice === undefined ? '' : `; ${advice}`,
  ].join('');

/**
 * The words after the location. If a condition refuses all arguments together, the only words are
 * "expected another combination".
 */
const problemOf = ({ keyword, path }: Issue): string =>
  keyword === 'false schema' && path === '' ? '' : (problems.get(keyword) ?? '');

const atLocation = (path: string): string =>
  path === '' ? '' : ` at ${displayPath(pointerKeys(path))}`;

function locationOf(issue: Issue, { name }: Subject): string {
  const { path, key } = issue;
  const keys = pointerKeys(path);
  const all = key === undefined || isAboutMeta(issue) ? keys : [...keys, key];
  return all.length === 0 ? name : displayPath(all);
}

/** Adds a full stop, unless the text ends with one or with a question mark. */
const sentence = (text: string): string =>
  truncate(`- ${text}${/[.?!]$/.test(text) ? '' : '.'}`, maxLineLength);

const truncate = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;

const problems: ReadonlyMap<string, string> = new Map([
  ['required', ' is missing'],
  ['dependentRequired', ' is missing'],
  ['additionalProperties', ' is not a known property'],
  ['unevaluatedProperties', ' is not a known property'],
  ['false schema', ' is not allowed'],
  ['misspelt', ' is another spelling of a known property'],
  ['duplicate_key', ' was sent twice with different values; send it once'],
  ['unsafe_number', ' cannot be held as a number'],
  ['path', ' is in Markdown'],
  ['url', ' is not an address alone'],
  ['glob', ' is in quotes'],
  ['line_range', ' is not a range of lines'],
  ['meta', ' cannot be used'],
  ['duplicate_meta', ' is a second spelling of one argument'],
  ['misplaced_meta', ' cannot be used'],
]);

const callArguments: Subject = {
  name: 'arguments',
  problems: new Map([
    ['not_json', 'The arguments are not valid JSON'],
    [
      'ambiguous',
      'The arguments are not valid JSON and can be read in several ways; send them again',
    ],
    ['not_sent', 'No arguments were sent; send a JSON object'],
    ['truncated', 'The arguments were cut off before their end'],
    ['too_large', 'The arguments are too long'],
    ['too_deep', 'The arguments are nested too deeply'],
    ['invalid_utf8', 'The arguments are not valid UTF-8'],
    ['not_plain', 'The arguments are not plain JSON data'],
    ['budget_exceeded', 'The arguments have too many errors to list'],
    [
      'not_confirmed',
      'The arguments had to be repaired, and this tool runs after such a repair only if you confirm it',
    ],
  ]),
  sendAgain: 'Send the whole call again with corrected arguments.',
};

const answer: Subject = {
  name: 'answer',
  problems: new Map([
    ['not_json', 'The answer is not valid JSON'],
    ['ambiguous', 'The answer is not valid JSON and can be read in several ways; send it again'],
    ['not_sent', 'The answer is empty; send JSON'],
    ['truncated', 'The answer was cut off before its end'],
    ['too_large', 'The answer is too long'],
    ['too_deep', 'The answer is nested too deeply'],
    ['budget_exceeded', 'The answer has too many errors to list'],
    ['not_confirmed', 'The answer had to be repaired, and is not taken unless you confirm it'],
  ]),
  sendAgain: 'Send the whole answer again, corrected.',
};
