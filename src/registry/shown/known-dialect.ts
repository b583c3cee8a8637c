// Is there such a dialect? JavaScript callers and settings may name any.
import {
  type DialectName,
  dialects,
  isProviderDialect,
  type ProviderDialect,
} from '../../dialects/dialect-table.ts';
import { DefinitionError } from '../../errors/definition-error.ts';

/** Throws a DefinitionError for a dialect that there is not. */
export function knownDialect(dialect: unknown, where: string): ProviderDialect {
  if (isProviderDialect(dialect)) return dialect;
  const known = ['neutral', ...Object.keys(dialects)].join(', ');
  const what = `has no dialect ${JSON.stringify(dialect) ?? String(dialect)}`;
  throw new DefinitionError([{ where, what, instead: `ask for one of ${known}` }]);
}

/** The same of how tools were shown; undefined where they were shown as they are. */
export const knownForm = (dialect: DialectName | undefined, where: string): ProviderDialect | undefined =>
  dialect === undefined || dialect === 'neutral' ? undefined : knownDialect(dialect, where);
