// How is a union of hundreds of branches judged? Branch by branch, each compiled when it is first asked: the code that Ajv
// makes of them all is as deep as the union is long, which no engine's stack can take.
import { _, type Ajv2020 } from 'ajv/dist/2020.js';
import { resolveReference } from '../contract/judged-schema/local-references.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import { sameValue } from '../json/same-value.ts';
import { failUnless, replaceCode } from './keyword-code.ts';

/** Branches of a union that Ajv makes code of, at most. */
const mostInCode = 64;

/** The same where `unevaluated…` keywords have to know what the branches have looked at. */
const mostBesideLeftovers = 500;

/** Makes a compiler ask the branches of large unions one by one. `step`: called for each of them. */
export function askLargeUnions(ajv: Ajv2020, root: SchemaObject, step: () => void): void {
  const hasLeftovers = /"unevaluated(?:Properties|Items)"/.test(JSON.stringify(root));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    replaceCode(ajv, keyword, (context, original) => {
      const { schema: branches }: { schema: readonly JsonSchema[] } = context;
      if (branches.length <= mostInCode) return original(context);
      if (!hasLeftovers) {
        // What Ajv's own failure of `oneOf` tells.
        context.setParams({ passing: _`null` });
        return failUnless(context, askerOf(ajv, root, { keyword, branches, step }));
      }
      if (branches.length <= mostBesideLeftovers) return original(context);
      throw new RangeError(`a union of ${branches.length} branches in a schema with unevaluated keywords`);
    });
  }
}

interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly JsonSchema[];
  readonly step: () => void;
}

function askerOf(
  ajv: Ajv2020,
  root: SchemaObject,
  { keyword, branches, step }: Union,
): (data: JsonValue) => boolean {
  const askers = branches.map((branch) => branchAsker(ajv, root, branch));
  return (data) => {
    let passing = 0;
    for (const asks of askers) {
      step();
      if (!asks(data)) continue;
      if (keyword === 'anyOf') return true;
      passing += 1;
      if (passing > 1) return false;
    }
    return passing === 1;
  };
}

function branchAsker(ajv: Ajv2020, root: SchemaObject, branch: JsonSchema): (data: JsonValue) => boolean {
  if (typeof branch === 'boolean') return () => branch;
  const { const: constant, ...beside } = branch;
  if (constant !== undefined && Object.keys(beside).every((keyword) => describing.has(keyword)))
    return (data) => sameValue(constant, data);
  const words = wordsOf(branch, root);
  let accepts: ((data: JsonValue) => boolean) | undefined;
  return (data) => {
    if (isOther(data, words)) return false;
    accepts ??= ajv.compile<JsonValue>(branch);
    return accepts(data);
  };
}

const describing: ReadonlySet<string> = new Set(['title', 'description', 'deprecated', 'examples']);

/** Keys under which a branch takes one word, number or boolean only. */
function wordsOf(branch: SchemaObject, root: SchemaObject): readonly (readonly [string, JsonValue])[] {
  const target = branch.$ref === undefined ? undefined : resolveReference(branch.$ref, root);
  const properties = Object.entries({ ...target?.properties, ...branch.properties });
  return properties.flatMap(([key, schema]) => {
    const constant = typeof schema === 'boolean' ? undefined : schema.const;
    return constant === undefined || typeof constant === 'object' ? [] : [[key, constant] as const];
  });
}

const isOther = (data: JsonValue, words: readonly (readonly [string, JsonValue])[]): boolean =>
  isJsonObject(data) && words.some(([key, word]) => Object.hasOwn(data, key) && data[key] !== word);
