import {
  type FromSchema,
  type Interpretation,
  interpretArguments,
  readCalls,
} from 'toolmend/repair';

const point = {
  type: 'object',
  properties: { lat: { type: 'number' } },
  required: ['lat'],
} as const;
const weather = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    units: { enum: ['C', 'F'] },
    tags: { type: 'array', items: { type: 'string' } },
    place: {
      anyOf: [{ type: 'null' }, point],
    },
  },
  required: ['city', 'days'],
  additionalProperties: false,
} as const;

test('the value has the type of a literal schema', () => {
  const result = interpretArguments(weather, {
    text: '{"city":"Graz","days":"3","place":{"lat":"47"}}',
  });
  expect(result).toMatchObject({
    status: 'repaired',
    value: { city: 'Graz', days: 3, place: { lat: 47 } },
  });
  if (result.status === 'rejected') return;
  // These lines compile only with the inferred types.
  const days: number = result.value.days;
  const units: 'C' | 'F' | undefined = result.value.units;
  const latitude: number | undefined = result.value.place?.lat;
  const tags: readonly string[] = result.value.tags ?? [];
  expect([days, units, latitude, tags]).toEqual([3, undefined, 47, []]);
});

test('the value has the type that is given, and is a JSON object for a schema whose type is unknown', () => {
  const schema: object = weather;
  const given: Interpretation<{ city: string }> = interpretArguments<{ city: string }>(schema, {
    value: {},
  });
  const unknown = interpretArguments(schema, { value: { city: 'Graz', days: 1 } });
  const typed: FromSchema<typeof weather> = { city: 'Graz', days: 1 };
  expect(given.status).toBe('rejected');
  expect(unknown).toMatchObject({ status: 'unchanged', value: typed });
});

test('a pattern that would backtrack is matched, or named in a warning', () => {
  const warnings: string[] = [];
  const schema = {
    type: 'object',
    properties: {
      slug: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
      twice: { pattern: '^(a+)\\1$' },
    },
  };
  const value = { slug: 'a-', twice: 'x' };
  const result = interpretArguments(schema, { value }, { warn: ({ code }) => warnings.push(code) });
  expect(result.issues.map(({ path }) => path)).toEqual(['/slug']);
  expect(warnings).toEqual(['unsafe_pattern']);
});

test('calls in text are read', () => {
  const text = '<tool_call>\n{"name":"weather","arguments":{"city":"Graz"}}\n</tool_call>';
  const { calls } = readCalls(text, [{ name: 'weather' }]);
  expect(calls).toMatchObject([{ name: 'weather', arguments: '{"city":"Graz"}' }]);
});

test('the option provider is not known', () => {
  const options = { provider: 'openai' };
  expect(() =>
    Reflect.apply(interpretArguments, undefined, [weather, { value: {} }, options]),
  ).toThrow('interpretArguments has no option "provider"');
});

test.each<[string, object, object]>([
  ['an alias', { path: { type: 'string', 'x-toolmend': { aliases: ['file'] } } }, { path: 'a' }],
  ['a key of a map', { path: { type: 'string' } }, { file: 'a' }],
])('a call in markup may have %s', (title, properties, value) => {
  const schema = {
    type: 'object',
    properties,
    additionalProperties: title !== 'an alias' && { type: 'string' },
  };
  const text = '<function=read><parameter=file>a</parameter></function>';
  expect(interpretArguments(schema, { text })).toMatchObject({ status: 'repaired', value });
});

test('what stands for unreadable arguments in a history is not a call', () => {
  const value = { unreadable_arguments: '{"city": Graz' };
  expect(interpretArguments(weather, { value }).issues).toEqual([
    { keyword: 'not_json', path: '' },
  ]);
  expect(interpretArguments({ type: 'object' }, { value })).toMatchObject({
    status: 'unchanged',
    value,
  });
});
