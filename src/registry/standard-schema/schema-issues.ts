// What is wrong with a call, as Standard Schema says it? One issue a place, and in the last one what to send instead.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { shownForm } from '../../dialects/shown-form.ts';
import { factsOf } from '../../interpret/contract-facts.ts';
import type { Rejected } from '../../interpret/interpretation.ts';
import { saidOf } from '../../interpret/rejection/reject.ts';
import { isInternalError } from '../../issues/internal-error.ts';
import type { Issue } from '../../issues/issue.ts';
import { issueText } from '../../issues/rejection-message.ts';
import { pointerKeys } from '../../json/json-pointer.ts';
import type { SchemaIssue } from './tool-schema.ts';

const mostIssues = 8;

/** What was sent, and the form that was shown. */
interface SentForm {
  readonly dialect: Parameters<typeof shownForm>[1];
  /** Tells the indexes of lists from the keys of objects. */
  readonly sent: unknown;
}

export function schemaIssues(
  contract: ToolContract,
  rejected: Rejected,
  { sent, dialect }: SentForm,
): readonly SchemaIssue[] {
  if (isInternalError(rejected.issues)) return [{ message: rejected.message, path: [] }];
  const { issues, advice } = saidOf(factsOf(contract).judge, rejected, {
    shown: shownForm(contract, dialect),
  });
  return [
    ...issues.slice(0, mostIssues).map((issue) => ({ message: issueText(issue), path: pathOf(issue, sent) })),
    { message: advice },
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

/** Runs no code of the value's own. */
const memberOf = (value: object, key: string): unknown => Object.getOwnPropertyDescriptor(value, key)?.value;
