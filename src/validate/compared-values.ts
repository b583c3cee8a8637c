// When are two values the same to `const` and `enum`? By what they hold; Ajv's own comparison calls the
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
