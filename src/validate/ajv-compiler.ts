// With which settings does Ajv make code of a schema? JSON Schema 2020-12, own keys only, and nothing that takes a time
// without end.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { rootAddress } from '../contract/judged-schema/root-address.ts';
import { type PatternMatcher, readPattern } from '../contract/patterns/pattern-matcher.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import { compareByContent } from './compared-values.ts';
import { isWithoutRepetition } from './repetitions.ts';
import { countKeywords } from './step-budget/counted-keywords.ts';
import type { StepBudget } from './step-budget/step-budget.ts';

/**
 * `fast` stops at the first failure and lists nothing; `thorough` lists all failures. `ownProperties`, or
 * `toString` would count as sent; no `$data`, no remote references, no logging.
 */
export function ajvCompiler(
  root: SchemaObject,
  thoroughness: 'fast' | 'thorough',
  budget: StepBudget | undefined,
): Ajv2020 {
  const isThorough = thoroughness === 'thorough';
  const ajv = new Ajv2020({
    allErrors: isThorough,
    verbose: isThorough,
    messages: false,
    meta: false,
    validateSchema: false,
    strict: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    logger: false,
    addUsedSchema: false,
    // To find out whether any schema can be inlined takes a time that doubles with each list around lists.
    inlineRefs: keywordsInlined,
    // What lists failures is asked seldom: it may be slower for being ready sooner.
    code: { regExp: Object.assign(matcherOf, { code: 'matcherOf' }), optimize: !isThorough },
  });
  addFormats.default(ajv);
  // Ajv's own compares each element with each other one.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isAsked: boolean) => (isAsked ? isWithoutRepetition : () => true),
  });
  compareByContent(ajv);
  if (budget !== undefined) countKeywords(ajv, budget);
  return ajv.addSchema(root, rootAddress);
}

/** Keywords of a schema that stands in the place of a reference to it, at most. */
const keywordsInlined = 50;

const matcherOf = (pattern: string): PatternMatcher => readPattern(pattern).matcher;
