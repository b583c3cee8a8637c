// With which settings does Ajv make code of a schema? JSON Schema 2020-12, own keys only, and nothing that takes a time
// without end.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { rootAddress } from '../contract/judged-schema/root-address.ts';
import { type PatternMatcher, readPattern } from '../contract/patterns/pattern-matcher.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import { mapSubschemas } from '../json/map-subschemas.ts';
import { compareByContent } from './compared-values.ts';
import { askLargeUnions } from './large-unions.ts';
import { countKeywords } from './step-budget/counted-keywords.ts';
import type { StepBudget } from './step-budget/step-budget.ts';

/**
 * `fast` lists nothing, and stops at the first failure; `thorough` lists all failures. `ownProperties`, or
 * `toString` would count as sent; no `$data`, no remote references, no logging.
 */
export function ajvCompiler(
  root: SchemaObject,
  thoroughness: 'fast' | 'thorough',
  budget: StepBudget | undefined,
): Ajv2020 {
  const isThorough = thoroughness === 'thorough';
  const isLarge = schemasIn(root) > mostNested;
  const ajv = new Ajv2020({
    // Code that stops at the first failure is as deep as a list of schemas is long, and no engine's stack takes it.
    allErrors: isThorough || isLarge,
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
    // What lists failures is asked seldom: it may be slower for being ready sooner. And to make the code of a union
    // shorter takes a time with the square of its branches.
    code: {
      regExp: Object.assign(matcherOf, { code: 'matcherOf' }),
      optimize: !isThorough && !isLarge,
    },
  });
  addFormats.default(ajv);
  compareByContent(ajv);
  askLargeUnions(ajv, root, () => budget?.step(undefined));
  if (budget !== undefined) countKeywords(ajv, budget);
  return ajv.addSchema(root, rootAddress);
}

/** Keywords of a schema that stands in the place of a reference to it, at most. */
const keywordsInlined = 50;

/** Schemas in a root whose code may be nested, at most. */
const mostNested = 200;

function schemasIn(schema: SchemaObject): number {
  let schemas = 1;
  mapSubschemas(schema, (below) => {
    schemas += schemasIn(below);
    return below;
  });
  return schemas;
}

const matcherOf = (pattern: string): PatternMatcher => readPattern(pattern).matcher;
