// What is wrong with a call, as Standard Schema says it? One issue a place, and in the last one what to send instead.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { factsOf } from '../../interpret/contract-facts.ts';
import type { Rejected } from '../../interpret/interpretation.ts';
import { adviceOf } from '../../interpret/rejection/reject.ts';
import { isInternalError } from '../../issues/internal-error.ts';
import type { Issue } from '../../issues/issue.ts';
import { issueText } from '../../issues/rejection-message.ts';
import { pointerKeys } from '../../json/json-pointer.ts';
import type { SchemaIssue } from './tool-schema.ts';

const mostIssues = 8;

/** `sent`: tells the indexes of lists from the keys of objects. */
export function schemaIssues(
  contract: ToolContract,
  rejected: Rejected,
  sent: unknown,
): readonly SchemaIssue[] {
  const { issues, message } = rejected;
  if (isInternalError(issues)) return [{ message, path: [] }];
  return [
    ...issues.slice(0, mostIssues).map((issue) => ({ message: issueText(issue), path: pathOf(issue, sent) })),
    { message: adviceOf(factsOf(contract).judge, rejected) },
  ];
}

function pathOf({ path, key, keyword }: Issue, sent: unknown): readonly (string | number)[] {
  const keys = pointerKeys(path);
  const all = key === undefined || keyword === 'meta' ? keys : [...keys, key];
  let here: unknown = sent;
  return all.map((name) => {
    const isIndex = Array.isArray(here) && /^\d+$/.test(name);
    here = typeof here === 'object' && here !== null ? memberOf(here, name) : undefined;
    return isIndex ? Number(name) : name;
  });
}

const memberOf = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
