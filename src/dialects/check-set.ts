// Would a provider take these tools, all of them? One bad tool loses the whole request, so this is asked before it is sent.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { SetLimits } from './dialect-rules.ts';
import { dialects, type ProviderDialect } from './dialect-table.ts';
import { fixOf, type FindingRule } from './finding-fixes.ts';
import { lowerContract } from './lowering/lower-contract.ts';
import { measureSchema, type SchemaMeasures } from './measure-schema.ts';
import { shownNames } from './show-set.ts';

/** What a check has found about one tool in one dialect. */
export interface Finding {
  readonly dialect: ProviderDialect;
  /** `refused`: the request fails. `lost`: something can't be said or sent. `adapted`: shown in another form. */
  readonly level: 'refused' | 'lost' | 'adapted';
  /** '' for the set as a whole. */
  readonly tool: string;
  /** JSON Pointer in the tool's input schema; '' is the tool as a whole. */
  readonly place: string;
  readonly rule: FindingRule;
  /** What is found, as a clause: "has a union at its root". */
  readonly what: string;
  /** What to do, as an imperative. */
  readonly fix: string;
}

/** The worst first, each kind in the order of the tools. */
export function checkSet(contracts: readonly ToolContract[], dialect: ProviderDialect): readonly Finding[] {
  const found = [
    ...nameFindings(contracts, dialect),
    ...contracts.flatMap((contract) => schemaFindings(contract, dialect)),
    ...setFindings(contracts, dialect),
  ];
  return (['refused', 'lost', 'adapted'] as const).flatMap((level) =>
    found.filter((one) => one.level === level),
  );
}

type Found = Pick<Finding, 'level' | 'tool' | 'rule' | 'what'> & { readonly place?: string };

const finding = (dialect: ProviderDialect, { level, tool, place = '', rule, what }: Found): Finding =>
  Object.freeze({ dialect, level, tool, place, rule, what, fix: fixOf(rule, level) });

function nameFindings(contracts: readonly ToolContract[], dialect: ProviderDialect): readonly Finding[] {
  const { shown } = shownNames(contracts, dialect);
  const seen = new Set<string>();
  return contracts.flatMap(({ name }): readonly Finding[] => {
    const isAgain = seen.has(name);
    seen.add(name);
    if (isAgain || name === '') {
      const what = isAgain ? 'has the name of another tool' : 'has no name';
      return [finding(dialect, { level: 'refused', tool: name, rule: 'same-name', what })];
    }
    const legal = shown.get(name);
    if (legal === undefined) return [];
    const what = `has a name that isn't accepted, and is shown as ${legal}`;
    return [finding(dialect, { level: 'adapted', tool: name, rule: 'tool-name', what })];
  });
}

function schemaFindings(contract: ToolContract, dialect: ProviderDialect): readonly Finding[] {
  const { rules } = dialects[dialect];
  const { changes, schema } = lowerContract(contract, rules);
  const { name: tool, unusable } = contract;
  const measures = measureSchema(schema);
  return [
    ...(unusable === undefined
      ? []
      : [
          finding(dialect, { level: 'lost', tool, rule: 'too-large', what: `has a schema that ${unusable}` }),
        ]),
    ...perTool.flatMap(({ limit, words, of }) => {
      const most = rules.limits[limit];
      const counted = of(measures);
      if (most === undefined || counted <= most) return [];
      const what = `has ${counted} ${words}, and ${most} are accepted`;
      return [finding(dialect, { level: 'refused', tool, rule: 'limit', what })];
    }),
    ...changes.map(({ kind: level, pointer, rule, what }) =>
      finding(dialect, { level, tool, place: pointer, rule, what }),
    ),
  ];
}

interface Limit {
  readonly limit: keyof SetLimits;
  readonly words: string;
  readonly of: (measures: SchemaMeasures) => number;
}

/** What is counted in one tool. */
const perTool: readonly Limit[] = [
  { limit: 'depth', words: 'objects in each other', of: ({ depth }) => depth },
  { limit: 'properties', words: 'properties', of: ({ properties }) => properties },
  { limit: 'characters', words: 'characters of names and members', of: ({ characters }) => characters },
  { limit: 'enumMembers', words: 'members of enums', of: ({ enumMembers }) => enumMembers },
  {
    limit: 'enumCharacters',
    words: 'characters in an enum',
    of: ({ longEnumCharacters }) => longEnumCharacters,
  },
];

/** What is counted over all tools. */
const perSet: readonly Limit[] = [
  { limit: 'strictTools', words: 'strict tools', of: () => 1 },
  {
    limit: 'optionalParameters',
    words: 'optional parameters',
    of: ({ optionalParameters }) => optionalParameters,
  },
  {
    limit: 'unionParameters',
    words: 'parameters of several types',
    of: ({ unionParameters }) => unionParameters,
  },
];

function setFindings(contracts: readonly ToolContract[], dialect: ProviderDialect): readonly Finding[] {
  const { rules } = dialects[dialect];
  const measures = contracts.map((contract) => ({
    name: contract.name,
    measures: measureSchema(lowerContract(contract, rules).schema),
  }));
  return perSet.flatMap(({ limit, words, of }) => {
    const most = rules.limits[limit];
    const counts = measures.map((tool) => ({ name: tool.name, count: of(tool.measures) }));
    const sum = counts.reduce((total, { count }) => total + count, 0);
    if (most === undefined || sum <= most) return [];
    const largest = counts.toSorted((one, other) => other.count - one.count).slice(0, 3);
    const most3 = largest.map(({ name, count }) => `${name} ${count}`).join(', ');
    const what = `have ${sum} ${words} in all, and ${most} are accepted (most: ${most3})`;
    return [finding(dialect, { level: 'refused', tool: '', rule: 'set-limit', what })];
  });
}
