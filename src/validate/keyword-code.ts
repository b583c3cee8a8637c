// How is other code put in the place of what Ajv makes of a keyword? Where it stands, so that failures keep their order.
import { _, type Ajv2020, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import type { JsonValue } from '../json/json-value.ts';

type Code = CodeKeywordDefinition['code'];

/** `code` gets what a compiler has made of the keyword so far, as `original`. */
export function replaceCode(
  ajv: Ajv2020,
  keyword: string,
  code: (context: KeywordCxt, original: (context: KeywordCxt) => void) => void,
): void {
  const rule = ajv.RULES.all[keyword];
  if (typeof rule !== 'object' || !('code' in rule.definition)) return;
  const original: Code = rule.definition.code.bind(rule.definition);
  Object.assign(rule.definition, {
    code: (context: KeywordCxt, type?: string) => code(context, (asked) => original(asked, type)),
  });
}

/** The keyword fails where `holds` says no. */
export function failUnless(context: KeywordCxt, holds: (data: JsonValue) => boolean): void {
  const { gen, data } = context;
  const asked = gen.scopeValue('func', { ref: holds });
  context.fail(_`!${asked}(${data})`);
}
