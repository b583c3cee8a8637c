// The table in docs/reference/providers.md, made from the rules.
import type { SchemaRules, StrictLimits } from '../../src/providers/provider-rules.ts';
import { providers } from '../../src/providers/providers.ts';

export function providerTable(): string {
  const rows = Object.entries(providers).map(([name, { rules }]) => {
    const { toolName, schema } = rules;
    const strict = rules.strict?.choice?.isDefault === false ? undefined : rules.strict;
    const names = toolName === undefined ? 'any' : `at most ${toolName.maxLength} characters`;
    const limits = strict === undefined ? 'none known' : limitsOf(strict.limits);
    return [`\`${name}\``, names, schemaOf(strict?.schema ?? schema), limits];
  });
  const head = ['provider', 'tool names', 'schema', 'limits'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['', '<!-- prettier-ignore -->', ...lines, ''].join('\n');
}

const kinds: Readonly<Record<SchemaRules['kind'], string>> = {
  declared: 'as declared',
  'json-schema': 'JSON Schema 2020-12',
  guidance: 'one object at the root, else as declared',
  strict: 'strict mode',
  openapi: 'a part of OpenAPI 3.0',
  plain: 'some keywords',
};

function schemaOf(rules: SchemaRules): string {
  if (!('keeps' in rules)) return kinds[rules.kind];
  const sentences = [
    rules.nullForAbsent === true ? 'all required, null for absent' : '',
    rules.keeps('$ref', '#') ? '' : 'references written out',
    rules.typedItems === true ? 'items have a type' : '',
  ];
  return [kinds[rules.kind], ...sentences].filter((text) => text !== '').join('; ');
}

const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    depth: 'levels',
    properties: 'properties',
    characters: 'characters of names and members',
    enumMembers: 'members of enums',
    enumCharacters: 'characters of a long enum',
    strictTools: 'tools',
    optionalParameters: 'optional parameters in all',
    unionParameters: 'parameters of several types in all',
  } satisfies Record<keyof StrictLimits, string>),
);

const limitsOf = (limits: StrictLimits): string => {
  const limitTexts = Object.entries(limits).map(
    ([name, max]) => `${max.toLocaleString('en')} ${words.get(name)}`,
  );
  return limitTexts.length === 0 ? 'none known' : limitTexts.join(', ');
};
