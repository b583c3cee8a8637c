import {
  type OptionKind,
  type OptionKinds,
  boolean,
  checkOptions,
  count,
  either,
  kindWithHint,
  list,
  oneOfWords,
  required,
  string,
} from '../options/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { ChangesQuery, StatsDimension, StatsQuery } from './call-figures.ts';
import type { JournalQuery } from './call-store.ts';

const date: OptionKind = {
  accepts: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  instead: "write a Date, new Date('2026-01-31')",
};

const tenant = kindWithHint(string, 'write the tenant of the calls');
const tool = kindWithHint(string, "write a tool's name");
const model = kindWithHint(string, "write a model's name");
const release = kindWithHint(string, 'write the version of the application');

const queryKinds: OptionKinds<JournalQuery> = {
  tenant,
  conversation: kindWithHint(string, 'write the conversation of the calls'),
  tool,
  state: oneOfWords('queued', 'running', 'waiting', 'in_doubt', 'ended', 'not_run'),
  callId: kindWithHint(string, 'write the id of a call'),
  isLate: boolean,
  before: kindWithHint(string, "write an entry's id"),
  limit: count(1),
  model,
  status: oneOfWords('valid', 'repaired', 'rejected', 'failed'),
  rule: kindWithHint(string, 'write the id of a rule'),
  issue: kindWithHint(string, "write the keyword of an issue, 'required'"),
  field: kindWithHint(string, "write the field of an issue, '/paths'"),
  run: kindWithHint(string, 'write the id of a ToolRun'),
  release,
  since: date,
  until: date,
};

/** Throws a DefinitionError for a wrong query. */
export function checkQuery(query: JournalQuery): void {
  checkOptions('journal.list', query, queryKinds);
  requireValues('journal.list', query, ['tenant', 'conversation']);
  const { rule, issue, field } = query;
  const wrong = (what: string, instead: string): DefinitionError =>
    new DefinitionError([{ where: 'journal.list', what, instead }]);
  if (rule !== undefined && issue !== undefined)
    throw wrong('asks for a rule and an issue', 'ask twice: no call has both');
  if (field !== undefined && issue === undefined)
    throw wrong('has a field without an issue', "write the issue's keyword too: { issue, field }");
}

const dimension = oneOfWords('model', 'tool', 'release', 'time', 'rule', 'issue');

const statsKinds: OptionKinds<StatsQuery> = {
  by: required(
    either(
      "write one of model, tool, release, time, rule and issue, or a list: ['model', 'tool']",
      dimension,
      list(dimension),
    ),
  ),
  since: date,
  until: date,
  stepMs: count(1000),
  tenant,
  model,
  tool,
  release,
};

/** The dimensions of a query. Throws a DefinitionError for a wrong one. */
export function dimensionsOf(query: StatsQuery): readonly StatsDimension[] {
  checkOptions('journal.stats', query, statsKinds);
  requireValues('journal.stats', query, ['tenant']);
  const { by, stepMs } = query;
  const dimensions = [...new Set(typeof by === 'string' ? [by] : by)];
  const wrong = (what: string, instead: string): DefinitionError =>
    new DefinitionError([{ where: 'journal.stats', what, instead }]);
  if (dimensions.includes('time') !== (stepMs !== undefined))
    throw wrong("has one of by: 'time' and stepMs", 'write both or none');
  if (dimensions.includes('rule') && dimensions.includes('issue'))
    throw wrong('counts by rule and by issue', 'ask twice: no call has both');
  return dimensions;
}

const changesKinds: OptionKinds<ChangesQuery> = {
  after: kindWithHint(string, 'write the cursor of the answer before'),
  tenant,
  limit: count(1),
};

/** Throws a DefinitionError for a wrong query. */
export function checkChanges(query: ChangesQuery): void {
  checkOptions('journal.changes', query, changesKinds);
  requireValues('journal.changes', query, ['tenant']);
}

/** A cursor that no answer had. */
export const unknownCursor = (): DefinitionError =>
  new DefinitionError([
    {
      where: 'journal.changes',
      what: 'was given an unknown cursor',
      instead: 'write the cursor of the answer before',
    },
  ]);

/** A misspelt or missing tenant must not read the calls of all tenants. */
function requireValues<Query extends object>(
  where: string,
  query: Query,
  options: readonly (keyof Query & string)[],
): void {
  const problems = options
    .filter((option) => Object.hasOwn(query, option) && query[option] === undefined)
    .map((option) => ({
      where,
      what: `has ${option}: undefined`,
      instead: 'set it, or leave the key out for the calls of all',
    }));
  if (problems.length > 0) throw new DefinitionError(problems);
}
