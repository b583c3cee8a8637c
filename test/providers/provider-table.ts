// What does docs/providers.md say of each provider? One row, made from its rules.
import type { ProviderRules, SchemaRules, SetLimits } from '../../src/providers/provider-rules.ts';
import { providers } from '../../src/providers/provider-schemas.ts';

const head = [
  'provider',
  'tool names',
  'undeclared keys',
  'optional',
  'references',
  'a union at the root',
  'any value',
  'limits',
];

export function providerTable(): string {
  const rows = Object.entries(providers).map(([name, { rules }]) => [`\`${name}\``, ...cellsOf(rules)]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['', '<!-- prettier-ignore -->', ...lines, ''].join('\n');
}

const cellsOf = ({ toolName, schema, limits }: ProviderRules): readonly string[] => [
  toolName === undefined ? 'any' : `at most ${toolName.longest} characters`,
  undeclared[schema.objects],
  schema.optional === 'null' ? 'required, null means left out' : 'as declared',
  schema.references === 'inlined' ? 'written out' : 'kept',
  schema.root === 'plain' ? 'is one object' : 'as declared',
  schema.anything === 'json-text' ? 'is JSON text' : 'as declared',
  limitsOf(limits),
];

const undeclared: Readonly<Record<SchemaRules['objects'], string>> = {
  closed: 'none; a map is a list of `{ key, value }`',
  listed: 'none; a map is a list of `{ key, value }`',
  implied: 'in words',
  declared: 'as declared',
};

const words: Readonly<Record<keyof SetLimits, string>> = {
  depth: 'levels',
  properties: 'properties',
  characters: 'characters of names and members',
  enumMembers: 'members of enums',
  enumCharacters: 'characters of a long enum',
  strictTools: 'tools',
  optionalParameters: 'optional parameters in all',
  unionParameters: 'parameters of several types in all',
};

function limitsOf(limits: SetLimits): string {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(limits);
  const said = Object.entries(words).flatMap(([limit, of]) => {
    const most = entries.find(([name]) => name === limit)?.[1];
    return typeof most === 'number' ? [`${most.toLocaleString('en')} ${of}`] : [];
  });
  return said.length === 0 ? 'none known' : said.join(', ');
}
