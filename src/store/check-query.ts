import {
  type OptionKinds,
  boolean,
  checkOptions,
  count,
  hinted,
  oneOf,
  string,
} from '../options/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { JournalQuery } from './call-store.ts';

const queryKinds: OptionKinds<JournalQuery> = {
  tenant: hinted(string, 'write the tenant of the calls'),
  conversation: hinted(string, 'write the conversation of the calls'),
  tool: hinted(string, "write a tool's name"),
  state: oneOf('queued', 'running', 'waiting', 'in_doubt', 'ended', 'not_run'),
  callId: hinted(string, 'write the id of a call'),
  isLate: boolean,
  before: hinted(string, "write an entry's id"),
  limit: count(1),
};

/**
 * Throws a DefinitionError for a wrong query: a misspelt or missing tenant must not list the calls
 * of all tenants.
 */
export function checkQuery(query: JournalQuery): void {
  checkOptions('journal.list', query, queryKinds);
  const problems = (['tenant', 'conversation'] as const)
    .filter((option) => Object.hasOwn(query, option) && query[option] === undefined)
    .map((option) => ({
      where: 'journal.list',
      what: `has ${option}: undefined`,
      instead: 'set it, or leave the key out for the calls of all',
    }));
  if (problems.length > 0) throw new DefinitionError(problems);
}
