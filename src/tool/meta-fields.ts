import { type DefinitionProblem, DefinitionError } from '../errors/definition-error.ts';
import { foldKey, freezeDeep } from '../json/value.ts';
import { canonicalKey } from './meta-schema.ts';
import type { MetaArgument } from './tool-contract.ts';

// Names that can't be told apart, or that would not come back as they went.
/** One problem for each mistake; `where` is whoever lists them. */
export function metaProblems(meta: readonly MetaArgument[], where: string): readonly DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const first = new Map<string, string>();
  for (const { key, name, aliases } of meta) {
    if (!/^[a-z]\w{0,60}$/i.test(name) || key !== canonicalKey(name)) {
      const what = `has the meta argument ${JSON.stringify(key)} with the name ${JSON.stringify(name)}`;
      problems.push({
        where,
        what,
        instead: 'write a name of letters, digits and _, and as key _ and the name',
      });
    }
    for (const spelling of new Set([key, ...aliases].map((one) => foldKey(one) ?? one))) {
      const other = first.get(spelling);
      if (other !== undefined) {
        const what = `has the meta arguments ${other} and ${key}, which are spelled alike`;
        problems.push({ where, what, instead: 'leave one of them out, or give it another name' });
      }
      first.set(spelling, key);
    }
  }
  return problems;
}

/** The same meta arguments, those of these names required of every call. Throws a DefinitionError for a name that is none. */
export function requireMeta(
  meta: readonly MetaArgument[],
  ...names: readonly string[]
): readonly MetaArgument[] {
  const unknown = names.filter((name) => !meta.some((argument) => argument.name === name));
  if (unknown.length > 0) {
    const instead = `write some of ${meta.map(({ name }) => name).join(', ')}`;
    throw new DefinitionError(
      unknown.map((name) => ({
        where: 'requireMeta',
        what: `names ${JSON.stringify(name)}, which is none`,
        instead,
      })),
    );
  }
  return freezeDeep(
    meta.map((argument) => ({
      ...argument,
      isRequired: argument.isRequired || names.includes(argument.name),
    })),
  );
}
