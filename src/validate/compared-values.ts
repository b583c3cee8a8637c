// When are two values the same to `const`, `enum` and `uniqueItems`? By what they hold; Ajv's own comparison calls the
// values' `toString` and `valueOf` and looks at their `constructor`, which are data here.
import { _, type Ajv2020, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { sameValue } from '../json/same-value.ts';

/** Makes a compiler compare lists and objects by their content. Other values are compared as before. */
export function compareByContent(ajv: Ajv2020): void {
  replaceCode(ajv, 'const', (context, original) => {
    const { schema: constant }: { schema: JsonValue } = context;
    if (!isContainer(constant)) return original(context);
    failUnless(context, (data) => sameValue(constant, data));
  });
  replaceCode(ajv, 'enum', (context, original) => {
    const { schema: members }: { schema: readonly JsonValue[] } = context;
    if (!members.some(isContainer)) return original(context);
    failUnless(context, (data) => members.some((member) => sameValue(member, data)));
  });
  replaceCode(ajv, 'uniqueItems', (context) => {
    context.setParams({ i: 0, j: 0 });
    if (context.schema === true) failUnless(context, (data) => isJsonArray(data) && isDistinct(data));
  });
}

type Code = CodeKeywordDefinition['code'];

function replaceCode(
  ajv: Ajv2020,
  keyword: string,
  code: (context: KeywordCxt, original: Code) => void,
): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known === 'boolean' || !('code' in known)) return;
  ajv.removeKeyword(keyword);
  ajv.addKeyword({ ...known, code: (context) => code(context, known.code.bind(known)) });
}

function failUnless(context: KeywordCxt, holds: (data: JsonValue) => boolean): void {
  const { gen, data } = context;
  const asked = gen.scopeValue('func', { ref: holds });
  context.fail(_`!${asked}(${data})`);
}

const isContainer = (value: JsonValue): boolean => isJsonArray(value) || isJsonObject(value);

/** In linear time. A list that ends early needs no look at the rest. */
function isDistinct(list: readonly JsonValue[]): boolean {
  const scalars = new Set<JsonValue>();
  const containers = new Set<string>();
  return list.every((item) => {
    const count = scalars.size + containers.size;
    if (isContainer(item)) containers.add(contentOf(item));
    else scalars.add(item);
    return scalars.size + containers.size > count;
  });
}

/** A text that values have in common exactly if they are the same. */
function contentOf(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(contentOf).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).map((key) => `${JSON.stringify(key)}:${contentOf(value[key] ?? null)}`);
  return `{${members.toSorted().join()}}`;
}
