// The issues of a library as failures whose messages say what to send.
import { previewLiteral } from '../json/preview.ts';
import { readPlainValue } from '../json/serialize.ts';
import { memberOf } from '../collections/objects.ts';
import { pointerTo, valueAt } from '../json/pointers.ts';
import { type JsonValue, jsonTypeOf } from '../json/value.ts';
import { textMember } from './not-a-schema.ts';

interface LibraryFailure {
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}

/** The failures of one issue: of a union of zod, those of its branches. */
export function failuresOf(issue: unknown, sentValue: unknown): readonly LibraryFailure[] {
  return readIssue(issue, '', plainValue(sentValue));
}

const maxDepth = 64;

function plainValue(sentValue: unknown): JsonValue {
  const reading = readPlainValue(sentValue, maxDepth);
  return reading.kind === 'plain' ? reading.value : null;
}

/** `parent`: the pointer that the path of the issue starts from. */
function readIssue(
  issue: unknown,
  parent: string,
  sentValue: JsonValue,
): readonly LibraryFailure[] {
  const path = pathOf(issue, parent);
  if (memberOf(issue, 'code') === 'unrecognized_keys')
    return elementsOf(memberOf(issue, 'keys')).map((key) => ({
      path: pointerTo(path, String(key)),
      message: 'is not a known property',
    }));
  const [reason] = elementsOf(memberOf(issue, 'issues'));
  if (memberOf(issue, 'code') === 'invalid_key' && reason !== undefined)
    return [{ path, message: `the key is not valid: ${textMember(reason, 'message') ?? ''}` }];
  const branches = branchesOf(issue, path, parent).map(({ from, issues }) =>
    issues.flatMap((one) => readIssue(one, from, sentValue)),
  );
  const [only] = branches;
  if (branches.length === 1 && only !== undefined) return only;
  const message =
    branches.length > 1 ? eitherOf(branches, path) : messageOf(issue, valueAt(sentValue, path));
  return [{ path, message }];
}

const pathOf = (issue: unknown, parent: string): string =>
  elementsOf(memberOf(issue, 'path')).reduce<string>(
    (path, key) => pointerTo(path, String(memberOf(key, 'key') ?? key)),
    parent,
  );

const elementsOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

interface Branch {
  /** The pointer that the paths of its issues start from. */
  readonly from: string;
  readonly issues: readonly unknown[];
}

/** The branches of a union that take a value of this type; all if none does. */
function branchesOf(issue: unknown, path: string, parent: string): readonly Branch[] {
  const ofZod4 = elementsOf(memberOf(issue, 'errors')).map((issues) => ({
    from: path,
    issues: elementsOf(issues),
  }));
  const ofZod3 = elementsOf(memberOf(issue, 'unionErrors')).map((error) => ({
    from: parent,
    issues: elementsOf(memberOf(error, 'issues')),
  }));
  const all = [...ofZod4, ...ofZod3];
  const ofSameType = all.filter(
    ({ from, issues }) => !issues.some((one) => isOfType(one) && pathOf(one, from) === path),
  );
  return ofSameType.length > 0 ? ofSameType : all.slice(0, maxBranches);
}

/** Branches that a message lists. */
const maxBranches = 4;

const ofType: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_literal']);
const isOfType = (issue: unknown): boolean => ofType.has(textMember(issue, 'code') ?? '');

const eitherOf = (branches: readonly (readonly LibraryFailure[])[], path: string): string =>
  branches
    .map((failures) =>
      failures
        .map((one) => `${one.path.slice(path.length + 1)}: ${one.message}`.replace(/^: /, ''))
        .join(' and '),
    )
    .join(', or ');

/** A library's own words for an instance of Date that is none. */
const noDate = /^Invalid (?:input: expected date\b|date$|type: Expected Date\b)/;

/** The message, with what was sent if the library speaks of what it made of it. */
function messageOf(issue: unknown, value: JsonValue | undefined): string {
  // arktype's message starts with the path.
  const message = textMember(issue, 'problem') ?? textMember(issue, 'message') ?? 'is not valid';
  if (value === undefined) return message;
  const valuePreview = previewLiteral(value);
  if (noDate.test(message))
    return `expected a date like "2026-01-31T12:00:00Z", got ${valuePreview}`;
  if (message === 'Invalid input') return `is not valid, got ${valuePreview}`;
  const expectedType = textMember(issue, 'expected') ?? textMember(issue, 'origin') ?? '';
  if (!javaScriptTypes.has(expectedType) || isOf(value, expectedType)) return message;
  if (zodType.test(message))
    return `expected ${kindOf(value)} that converts to ${expectedType}, got ${valuePreview}`;
  return zodSize.test(message) ? `${message}, after conversion of ${valuePreview}` : message;
}

const javaScriptTypes = new Set<unknown>([
  'string',
  'number',
  'int',
  'boolean',
  'bigint',
  'array',
  'object',
]);

const isOf = (value: JsonValue, type: string): boolean =>
  jsonTypeOf(value) === type ||
  (typeof value === 'number' && (type === 'number' || type === 'int'));

function kindOf(value: JsonValue): string {
  const type = jsonTypeOf(value);
  return type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** zod's own words, which an author may have replaced. */
const zodType = /^(?:Invalid input: expected|Expected) \w+, received \w+$/;
const zodSize = /^Too (?:big|small): expected /;
