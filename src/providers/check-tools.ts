import { type JsonSchema, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { ChangeRule } from './keyword-words.ts';
import type { SetLimits } from './provider-rules.ts';
import { type ProviderName, providers, shownNames } from './provider-schemas.ts';
import { lowerContract } from './transform-schema.ts';

// One sentence for each rule.
export type FindingRule = ChangeRule | 'limit' | 'same-name' | 'set-limit' | 'tool-name';

const none = 'nothing to do: toolmend shows it so, and reads the answer back';

const fixes: Readonly<Record<FindingRule, string>> = {
  'any-value': none,
  closed: 'declare the keys, or use a provider that is not strict for this tool',
  description: 'shorten the constraints at this place, or leave some of them out',
  limit: 'split the tool, or use a provider that is not strict for it',
  map: none,
  misused: 'write under the keyword what JSON Schema takes there',
  optional: none,
  'property-key': none,
  recursion: none,
  reference: 'write the schema into the tool, under $defs',
  root: none,
  'same-name': 'give one of them another name, or a prefix',
  'set-limit': 'offer fewer tools at once, or show some of them in the provider that is not strict',
  'tool-name': none,
  'too-large': 'write a smaller schema',
  tuple: none,
  union: none,
};

/** What is only shown in another form needs nothing. */
const fixOf = (rule: FindingRule, level: 'refused' | 'lost' | 'adapted'): string =>
  level === 'adapted' ? none : fixes[rule];

export interface SchemaMeasures {
  /** Objects in each other. */
  readonly depth: number;
  readonly properties: number;
  /** Of names, enum members and constants. */
  readonly characters: number;
  readonly enumMembers: number;
  /** Of the longest enum with more than 250 texts. */
  readonly longEnumCharacters: number;
  /** Properties that aren't required. */
  readonly optionalParameters: number;
  /** Properties of several types. */
  readonly unionParameters: number;
}

function measureSchema(schema: SchemaObject): SchemaMeasures {
  const measure = new Measure();
  measure.visit(schema, 0);
  return measure;
}

/** Texts in an enum that may be as long as they like. */
const fewMembers = 250;

class Measure implements SchemaMeasures {
  depth = 0;
  properties = 0;
  characters = 0;
  enumMembers = 0;
  longEnumCharacters = 0;
  optionalParameters = 0;
  unionParameters = 0;

  visit(schema: SchemaObject, depth: number): void {
    const { properties = {}, required = [], enum: members = [], const: constant } = schema;
    const isObject = schema.properties !== undefined || [schema.type].flat().includes('object');
    const inside = isObject ? depth + 1 : depth;
    this.depth = Math.max(this.depth, inside);
    for (const [key, held] of Object.entries(properties)) this.#count(key, held, required);
    const length = members.map((member) => textOf(member).length).reduce((sum, one) => sum + one, 0);
    this.characters += length + (constant === undefined ? 0 : textOf(constant).length);
    this.enumMembers += members.length;
    if (members.length > fewMembers) this.longEnumCharacters = Math.max(this.longEnumCharacters, length);
    mapSubschemas(schema, (below) => {
      this.visit(below, inside);
      return below;
    });
  }

  #count(key: string, held: JsonSchema, required: readonly string[]): void {
    this.properties += 1;
    this.characters += key.length;
    if (!required.includes(key)) this.optionalParameters += 1;
    if (typeof held === 'object' && (held.anyOf !== undefined || Array.isArray(held.type)))
      this.unionParameters += 1;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

// One bad tool loses the whole request, so this is asked before it is sent.
/** What a check has found about one tool in one provider. */
export interface Finding {
  readonly provider: ProviderName;
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
export function checkSet(contracts: readonly ToolContract[], provider: ProviderName): readonly Finding[] {
  const found = [
    ...nameFindings(contracts, provider),
    ...contracts.flatMap((contract) => schemaFindings(contract, provider)),
    ...setFindings(contracts, provider),
  ];
  return (['refused', 'lost', 'adapted'] as const).flatMap((level) =>
    found.filter((one) => one.level === level),
  );
}

type Found = Pick<Finding, 'level' | 'tool' | 'rule' | 'what'> & { readonly place?: string };

const finding = (provider: ProviderName, { level, tool, place = '', rule, what }: Found): Finding =>
  Object.freeze({ provider, level, tool, place, rule, what, fix: fixOf(rule, level) });

function nameFindings(contracts: readonly ToolContract[], provider: ProviderName): readonly Finding[] {
  const { shown } = shownNames(contracts, provider);
  const seen = new Set<string>();
  return contracts.flatMap(({ name }): readonly Finding[] => {
    const isAgain = seen.has(name);
    seen.add(name);
    if (isAgain || name === '') {
      const what = isAgain ? 'has the name of another tool' : 'has no name';
      return [finding(provider, { level: 'refused', tool: name, rule: 'same-name', what })];
    }
    const legal = shown.get(name);
    if (legal === undefined) return [];
    const what = `has a name that isn't accepted, and is shown as ${legal}`;
    return [finding(provider, { level: 'adapted', tool: name, rule: 'tool-name', what })];
  });
}

function schemaFindings(contract: ToolContract, provider: ProviderName): readonly Finding[] {
  const { rules } = providers[provider];
  const { changes, schema } = lowerContract(contract, rules);
  const { name: tool, unusable } = contract;
  const measures = measureSchema(schema);
  return [
    ...(unusable === undefined
      ? []
      : [
          finding(provider, {
            level: 'lost',
            tool,
            rule: 'too-large',
            what: `has a schema that ${unusable}`,
          }),
        ]),
    ...perTool.flatMap(({ limit, words, of }) => {
      const most = rules.limits[limit];
      const counted = of(measures);
      if (most === undefined || counted <= most) return [];
      const what = `has ${counted} ${words}, and ${most} are accepted`;
      return [finding(provider, { level: 'refused', tool, rule: 'limit', what })];
    }),
    ...changes.map(({ kind: level, pointer, rule, what }) =>
      finding(provider, { level, tool, place: pointer, rule, what }),
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

function setFindings(contracts: readonly ToolContract[], provider: ProviderName): readonly Finding[] {
  const { rules } = providers[provider];
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
    return [finding(provider, { level: 'refused', tool: '', rule: 'set-limit', what })];
  });
}
