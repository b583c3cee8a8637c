// When are two values the same to `const`, `enum` and `uniqueItems`? By what they hold; Ajv's own comparison calls the
// values' `toString` and `valueOf` and looks at their `constructor`, which are data here.
import type { Ajv2020, CodeKeywordDefinition, KeywordCxt } from 'ajv/dist/2020.js';
import { failUnless } from './keyword-code.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { sameValue } from '../json/same-value.ts';
import { isWithoutRepetition } from './repetitions.ts';

/** Makes a compiler compare lists and objects by their content. Other values are compared as before. */
export function compareByContent(ajv: Ajv2020): void {
  replaceKeyword(ajv, 'const', (context, original) => {
    const { schema: constant }: { schema: JsonValue } = context;
    if (!isContainer(constant)) return original(context);
    failUnless(context, (data) => sameValue(constant, data));
  });
  replaceKeyword(ajv, 'enum', (context, original) => {
    const { schema: members }: { schema: readonly JsonValue[] } = context;
    if (!members.some(isContainer)) return original(context);
    failUnless(context, (data) => members.some((member) => sameValue(member, data)));
  });
  // Ajv's own compares each element with each other one.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isAsked: boolean) => (isAsked ? isWithoutRepetition : () => true),
  });
}

type Code = CodeKeywordDefinition['code'];

function replaceKeyword(
  ajv: Ajv2020,
  keyword: string,
  code: (context: KeywordCxt, original: Code) => void,
): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known === 'boolean' || !('code' in known)) return;
  ajv.removeKeyword(keyword);
  ajv.addKeyword({ ...known, code: (context) => code(context, known.code.bind(known)) });
}

const isContainer = (value: JsonValue): boolean => isJsonArray(value) || isJsonObject(value);
