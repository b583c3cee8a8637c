// What providers refuse in a schema, from their documentation, independent of the rules in src.
import { toStrictJsonSchema } from 'openai/lib/transform';
import type { ProviderName, SchemaObject } from 'toolmend';
import type { ProviderRules } from '../../src/providers/provider-rules.ts';
import { isProviderName, providers } from '../../src/providers/providers.ts';
import { transformSchema } from '../../src/providers/transform-tool.ts';
import { wordsOf } from '../words.ts';

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every schema in a schema, with how many objects are around it. */
function schemasIn(schema: unknown, depth = 0): readonly (readonly [Node, number])[] {
  if (!isNode(schema)) return [];
  const nodesBelow = (value: unknown): readonly (readonly [Node, number])[] =>
    schemasIn(value, depth + 1);
  const memberNodes = ['properties', '$defs', 'patternProperties'].flatMap((keyword) =>
    isNode(schema[keyword]) ? Object.values(schema[keyword]).flatMap(nodesBelow) : [],
  );
  const elementNodes = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword) => {
    const branches = schema[keyword];
    return Array.isArray(branches) ? branches.flatMap(nodesBelow) : [];
  });
  const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'].flatMap((keyword) =>
    nodesBelow(schema[keyword]),
  );
  return [[schema, depth], ...memberNodes, ...elementNodes, ...single];
}

const keywordsIn = (schema: unknown): ReadonlySet<string> =>
  new Set(schemasIn(schema).flatMap(([node]) => Object.keys(node)));

const others = (schema: unknown, ...knownKeywords: readonly string[]): readonly string[] =>
  [...keywordsIn(schema)]
    .filter((keyword) => !knownKeywords.includes(keyword))
    .map((keyword) => `has ${keyword}`);

const badKeys = (schema: unknown, legal: RegExp): readonly string[] =>
  schemasIn(schema).flatMap(([node]) =>
    Object.keys(isNode(node.properties) ? node.properties : {}).filter((key) => !legal.test(key)),
  );

const rootCombinators = (schema: unknown): readonly string[] =>
  ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref'].filter(
    (keyword) => isNode(schema) && keyword in schema,
  );

const openObjects = (schema: unknown): readonly string[] =>
  schemasIn(schema).flatMap(([node]) =>
    [node.type].flat().includes('object') && node.additionalProperties !== false ? ['is open'] : [],
  );

const untypedLists = (schema: unknown): readonly string[] =>
  schemasIn(schema).flatMap(([node]) => {
    if (![node.type].flat().some((type) => String(type).toLowerCase() === 'array')) return [];
    const { items } = node;
    return isNode(items) && Object.keys(items).some((keyword) => keyword !== 'description')
      ? []
      : ['has untyped items'];
  });

/** OpenAI's own: what it would change is not strict yet. */
function openAiStrict(schema: object, isStrict: boolean): readonly string[] {
  if (!isStrict) return rootCombinators(schema);
  try {
    const strict = toStrictJsonSchema({ ...schema });
    return JSON.stringify(strict) === JSON.stringify(schema)
      ? untypedLists(schema)
      : ['is changed by toStrictJsonSchema'];
  } catch (error) {
    return [String(error)];
  }
}

const describedKeywords = wordsOf('type description properties required items enum anyOf');

const ofText = wordsOf('default minLength maxLength pattern');
const constraints = [...ofText, ...wordsOf('minimum maximum minItems maxItems')];

const claudeStrict = (schema: object, strict: boolean): readonly string[] => [
  ...rootCombinators(schema),
  ...badKeys(schema, /^[a-zA-Z0-9_.-]{1,64}$/),
  ...(strict
    ? [
        ...openObjects(schema),
        ...untypedLists(schema),
        ...others(
          schema,
          ...describedKeywords,
          'additionalProperties',
          'format',
          'minItems',
          'const',
          'title',
        ),
        ...schemasIn(schema).flatMap(([node]) =>
          Number(node.minItems ?? 0) > 1 ? ['has minItems'] : [],
        ),
      ]
    : []),
];

const bedrockPlain = (schema: object): readonly string[] => [
  ...rootCombinators(schema),
  ...untypedLists(schema),
  ...others(
    schema,
    ...describedKeywords,
    ...wordsOf('additionalProperties const format minItems'),
    ...ofText,
  ),
];

/** By provider: what is wrong with the schema in a tool. */
export const providerModels: Readonly<
  Record<ProviderName, (schema: object, strict: boolean) => readonly string[]>
> = {
  neutral: () => [],
  openai: rootCombinators,
  'openai-responses': rootCombinators,
  'openai-strict': openAiStrict,
  'openai-responses-strict': openAiStrict,
  anthropic: (schema) => [...rootCombinators(schema), ...badKeys(schema, /^[a-zA-Z0-9_.-]{1,64}$/)],
  'anthropic-strict': claudeStrict,
  gemini: (schema) => [
    ...rootCombinators(schema),
    ...untypedLists(schema),
    ...others(
      schema,
      ...describedKeywords,
      ...constraints,
      ...wordsOf('additionalProperties title $ref $defs'),
    ),
  ],
  'gemini-openapi': (schema) => [
    ...rootCombinators(schema),
    ...badKeys(schema, /^[A-Za-z_][A-Za-z0-9_]{0,63}$/),
    ...untypedLists(schema),
    ...others(schema, ...describedKeywords, ...constraints, 'nullable'),
    ...schemasIn(schema).flatMap(([node]) => [
      ...(Array.isArray(node.type) ? ['has several types'] : []),
      ...(Array.isArray(node.enum) && !node.enum.every((member) => typeof member === 'string')
        ? ['has a member that is no text']
        : []),
    ]),
  ],
  bedrock: bedrockPlain,
  'bedrock-strict': (schema, strict) =>
    strict ? claudeStrict(schema, strict) : bedrockPlain(schema),
  'deepseek-strict': (schema, strict) => [
    ...rootCombinators(schema),
    ...(strict
      ? [
          ...openObjects(schema),
          ...untypedLists(schema),
          ...others(schema, ...describedKeywords, 'additionalProperties'),
          ...schemasIn(schema).flatMap(([node]) =>
            Object.keys(Object(node.properties)).filter(
              (key) => ![node.required].flat().includes(key),
            ),
          ),
        ]
      : []),
  ],
  grammar: (schema) => [
    ...rootCombinators(schema),
    ...untypedLists(schema),
    ...[...keywordsIn(schema)].filter((keyword) =>
      wordsOf('pattern patternProperties propertyNames not if oneOf allOf uniqueItems').includes(
        keyword,
      ),
    ),
    ...schemasIn(schema).flatMap(([node]) => [
      ...(Number(node.maxLength ?? 0) > 100 || Number(node.maxItems ?? 0) > 100
        ? ['repeats too often']
        : []),
      ...(['date', 'time', 'date-time', 'uuid', 'undefined'].includes(String(node.format))
        ? []
        : ['has a format']),
    ]),
  ],
  mistral: (schema) => [
    ...rootCombinators(schema),
    ...[...keywordsIn(schema)].filter((keyword) =>
      wordsOf('oneOf allOf $ref $defs not if prefixItems patternProperties uniqueItems').includes(
        keyword,
      ),
    ),
  ],
  // What is no field of its struct is dropped.
  ollama: (schema) => [...rootCombinators(schema), ...others(schema, ...describedKeywords)],
  mcp: () => [],
};

/** What the rules make of a schema that they have made. */
export function transformAgain(
  schema: SchemaObject,
  rules: ProviderRules,
  isStrict: boolean,
): SchemaObject {
  const providerRules = isStrict ? rules.strict?.schema : rules.schema;
  return providerRules === undefined ? schema : transformSchema(schema, providerRules).schema;
}

/** `neutral` takes schemas as they are declared. */
export const transformingProviders = Object.keys(providers)
  .filter(isProviderName)
  .filter((name) => name !== 'neutral');
