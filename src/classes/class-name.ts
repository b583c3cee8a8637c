import type { DefinitionProblem } from '../errors/definition-error.ts';
import type { ToolOptions } from '../tool/tool-contract.ts';

/**
 * Why a tool class can't lend its name to its tool, if `@Tool` gives none; else undefined. A
 * bundler renames classes only in production, so the model would silently get another tool there.
 */
export function classNameProblem(
  className: string,
  { name, description }: Partial<ToolOptions>,
): DefinitionProblem | undefined {
  if (name !== undefined) return undefined;
  const instead = "write @Tool({ name: 'get_weather', … })";
  // The description is all by which the author can tell which class it is.
  const descriptionOption =
    typeof description === 'string' ? `, described as ${JSON.stringify(description)},` : '';
  if (isAnonymous(className))
    return {
      where: `A class without a name${descriptionOption}`,
      what: 'has no name in @Tool either',
      instead,
    };
  if (!looksMinified(className)) return undefined;
  return {
    where: `${className}${descriptionOption}`,
    what:
      "has no name in @Tool, and a class name this short may be a minifier's, " +
      'so the model may get another tool than in development',
    instead,
  };
}

/** `default` by the language, the others by compilers: the class of `export default class {}`. */
const isAnonymous = (className: string): boolean => /^(_?default(_\d+)?)?$/.test(className);

/**
 * Minifiers count through the shortest names. A scope would need more than 200,000 of them before
 * one has four characters. Of three characters, a word as people write it is let through: `Add`,
 * `SQL`.
 */
const looksMinified = (className: string): boolean =>
  className.length <= 3 && !/^[A-Z]([a-z]{2}|[A-Z]{2})$/.test(className);
