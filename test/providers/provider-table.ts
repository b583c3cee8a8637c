// The table in docs/providers.md, made from the rules.
import type { ProviderRules, SchemaRules, StrictLimits } from '../../src/providers/provider-rules.ts';
import { providers } from '../../src/providers/providers.ts';

const head = [
  'provider',
  'tool names',
  'schema',
  'undeclared keys',
  'optional',
  'references',
  'any value',
  'limits',
];

export function providerTable(): string {
  const rows = Object.entries(providers).map(([name, { rules }]) => [`\`${name}\``, ...cellsOf(rules)]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['', '<!-- prettier-ignore -->', ...lines, ''].join('\n');
}

const cellsOf = ({ toolName, schema, strict }: ProviderRules): readonly string[] => [
  toolName === undefined ? 'any' : `at most ${toolName.maxLength} characters`,
  ...schemaCells(strict?.schema ?? schema),
  strict === undefined ? 'none known' : limitsOf(strict.limits),
];

function schemaCells(rules: SchemaRules): readonly string[] {
  const asDeclared = ['as declared', 'as declared', 'kept', 'as declared'];
  switch (rules.kind) {
    case 'declared':
      return ['as declared', ...asDeclared];
    case 'json-schema':
      return ['JSON Schema 2020-12', ...asDeclared];
    case 'guidance':
      return ['one object at the root', ...asDeclared];
    default: {
      const isStrict = rules.kind === 'strict';
      const others = rules.keeps('additionalProperties', {}) ? 'as declared' : 'in words';
      const any = rules.typedItems === true ? 'not in arrays' : 'as declared';
      return [
        isStrict ? 'strict mode' : rules.kind === 'openapi' ? 'OpenAPI 3.0' : 'some keywords',
        isStrict ? 'not strict' : rules.kind === 'openapi' ? 'lost' : others,
        rules.nullForAbsent === true ? 'required, null means left out' : 'as declared',
        rules.keeps('$ref', '#') ? 'kept' : 'written out',
        isStrict ? 'not strict' : rules.kind === 'openapi' ? 'string, number or boolean' : any,
      ];
    }
  }
}

const words: Readonly<Record<keyof StrictLimits, string>> = {
  depth: 'levels',
  properties: 'properties',
  characters: 'characters of names and members',
  enumMembers: 'members of enums',
  enumCharacters: 'characters of a long enum',
  strictTools: 'tools',
  optionalParameters: 'optional parameters in all',
  unionParameters: 'parameters of several types in all',
};

function limitsOf(limits: StrictLimits): string {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(limits);
  return entries
    .map(([name, max]) => `${Number(max).toLocaleString('en')} ${new Map(Object.entries(words)).get(name)}`)
    .join(', ');
}
