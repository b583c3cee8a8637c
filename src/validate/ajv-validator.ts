import addFormats from 'ajv-formats';
import { Ajv2020, type CodeKeywordDefinition, type ErrorObject, type KeywordCxt, _ } from 'ajv/dist/2020.js';
import { canonicalJson } from '../json/serialize.ts';
import { type JsonValue, isJsonArray, isJsonObject, sameValue } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { type PatternMatcher, readPattern } from '../schema/patterns.ts';
import { resolveReference, rootAddress } from '../schema/references.ts';
import type { Validator, SchemaFailure } from '../tool/tool-contract.ts';

// Where it stands, so that failures keep their order.
type Code = CodeKeywordDefinition['code'];

/** `code` gets what a compiler has made of the keyword so far, as `original`. */
function replaceCode(
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
function failUnless(context: KeywordCxt, holds: (data: JsonValue) => boolean): void {
  const { gen, data } = context;
  const asked = gen.scopeValue('func', { ref: holds });
  context.fail(_`!${asked}(${data})`);
}

// In a time that grows with the list, not with its square.
/** True if no two elements are the same as JSON: the order of an object's keys doesn't count. */
function isWithoutRepetition(list: readonly JsonValue[]): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    // Texts and containers are told apart by how they begin.
    const key = typeof item === 'string' ? `"${item}` : typeof item === 'object' ? canonicalJson(item) : item;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

// By what they hold; Ajv's own comparison calls the values' `toString` and `valueOf` and looks at their
// `constructor`, which are data here.
/** Makes a compiler compare lists and objects by their content. Other values are compared as before. */
function compareByContent(ajv: Ajv2020): void {
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

// Branch by branch, each compiled when it is first asked: the code that Ajv makes of them all is as deep as the union
// is long, which no engine's stack can take.
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

// Steps are counted only where a schema could take steps without end.
/** Steps that a validation may take beside those that its value gives cause to, for each place in it. */
const stepsPerPlace = 100;

export class StepBudget {
  /** Steps taken by all validations so far. */
  taken = 0;
  readonly #steps: number;
  #end = 0;
  #value: JsonValue = null;
  #isExtended = false;

  /** `steps`: how many a validation may take, whatever its value. */
  constructor(steps: number) {
    this.#steps = steps;
  }

  /** What `validate` answers about a value; `beyond` where it would take too long. */
  within<Answer>(value: JsonValue, validate: () => Answer, beyond: Answer): Answer {
    this.#value = value;
    this.#isExtended = false;
    this.#end = this.taken + this.#steps;
    try {
      return validate();
    } catch (error) {
      if (error === overBudget) return beyond;
      throw error;
    }
  }

  /** To be called with each value that is looked at. Ends the validation by an exception when the budget is spent. */
  readonly step = (looked: unknown): void => {
    this.taken += 1 + (Array.isArray(looked) ? looked.length : 0);
    if (this.taken > this.#end) this.#extend();
  };

  #extend(): void {
    if (this.#isExtended) throw overBudget;
    this.#isExtended = true;
    this.#end += stepsPerPlace * placesIn(this.#value);
    if (this.taken > this.#end) throw overBudget;
  }
}

const overBudget = new Error('a validation takes too many steps');

function placesIn(value: JsonValue): number {
  let places = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    places += 1;
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item);
  }
  return places;
}

// Each reference, union, list and map that it comes to.
/** Keywords after which more work may follow than the schema around them shows. */
const counted = [
  '$ref',
  'anyOf',
  'oneOf',
  'items',
  'contains',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
] as const;

/** Makes the code of a compiler take a step of the budget at each of these keywords. */
function countKeywords(ajv: Ajv2020, budget: StepBudget): void {
  for (const keyword of counted) {
    replaceCode(ajv, keyword, (context, original) => {
      const step = context.gen.scopeValue('func', { ref: budget.step });
      context.gen.code(_`${step}(${context.data})`);
      original(context);
    });
  }
}

// JSON Schema 2020-12, own keys only, and nothing that takes a time without end.
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

// Where schemas meet the same value again and again.
/** Schemas that one place of a value meets, at most, without being counted. */
const mostMet = 20_000;

/**
 * True where references lead to so many schemas that each step must be counted: a circle that can be gone round in two
 * ways at the same place of a value, or references to references that are doubled each time.
 */
export function mayTakeLong(root: SchemaObject): boolean {
  const search = new CostSearch(root);
  return search.costOf(root).schemas > mostMet || search.isManifold;
}

interface Cost {
  /** Schemas at and below one, each as often as it is met. */
  readonly schemas: number;
  /** It leads into a circle. */
  readonly isCircular: boolean;
}

/** Keywords of which one alone looks at any one member or element. */
const exclusive: ReadonlySet<string> = new Set([
  'additionalProperties',
  'items',
  'prefixItems',
  'properties',
]);

class CostSearch {
  /** Some circle can be gone round in two ways. */
  isManifold = false;
  readonly #root: SchemaObject;
  readonly #costs = new Map<SchemaObject, Cost | 'open'>();

  constructor(root: SchemaObject) {
    this.#root = root;
  }

  costOf(schema: SchemaObject): Cost {
    const known = this.#costs.get(schema);
    if (known === 'open') return { schemas: 1, isCircular: true };
    if (known !== undefined) return known;
    this.#costs.set(schema, 'open');
    const { $defs: _definitions, $ref, ...validating } = schema;
    const ways = new Set<unknown>();
    let schemas = 1;
    const meet = (below: SchemaObject, way: unknown): SchemaObject => {
      const cost = this.costOf(below);
      schemas += cost.schemas;
      if (cost.isCircular) ways.add(way);
      return below;
    };
    const target = $ref === undefined ? undefined : resolveReference($ref, this.#root);
    if (target !== undefined) meet(target, target);
    for (const [keyword, held] of Object.entries(validating))
      mapSubschemas({ [keyword]: held }, (below) => meet(below, exclusive.has(keyword) ? 'below' : below));
    this.isManifold ||= ways.size > 1;
    const cost = { schemas, isCircular: ways.size > 0 };
    this.#costs.set(schema, cost);
    return cost;
  }
}

// It compiles JSON Schema 2020-12 to code, each part on its own, when it is first asked about.
type AjvError = ErrorObject<string, Record<string, unknown>>;

/** The default validator, and the fastest. Makes code from the schema, which some places forbid. */
export const createAjvValidator = (root: SchemaObject): Validator => {
  const budget = mayTakeLong(root) ? new StepBudget(steps) : undefined;
  const fast = ajvCompiler(root, 'fast', budget);
  let thorough: ((value: JsonValue) => readonly SchemaFailure[]) | undefined;
  // Without a function around it: this is called for each call.
  const compile = (part: JsonSchema): Accepts =>
    (part === root ? fast.getSchema(rootAddress) : undefined) ?? fast.compile(part);
  const failures = (value: JsonValue): readonly SchemaFailure[] =>
    (thorough ??= thoroughly(root, budget))(value);
  if (budget === undefined) return { compile, failures };
  const beyond = [{ keyword: 'budget_exceeded', path: '', schemaPath: '#', schema: root }];
  return {
    compile: (part) => {
      const accepts = compile(part);
      return (value) => budget.within(value, () => accepts(value), false);
    },
    failures: (value) => budget.within(value, () => failures(value), beyond),
    stepsTaken: () => budget.taken,
  };
};

/** Steps of one validation, if the schema could take steps without end. */
const steps = 100_000;

type Accepts = (value: JsonValue) => boolean;

function thoroughly(
  root: SchemaObject,
  budget: StepBudget | undefined,
): (value: JsonValue) => readonly SchemaFailure[] {
  const validate = ajvCompiler(root, 'thorough', budget).compile({ $ref: `${rootAddress}#` });
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).filter(({ keyword }) => !containers.has(keyword)).map(failureOf);
}

/** Keywords whose failure is only that something below them fails, which is listed too. */
const containers: ReadonlySet<string> = new Set(['if', 'propertyNames']);

function failureOf(error: AjvError): SchemaFailure {
  const { keyword, instancePath, schemaPath, params, parentSchema, propertyName } = error;
  const key =
    propertyName ??
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'];
  return {
    keyword,
    path: instancePath,
    schemaPath,
    ...(typeof key === 'string' ? { key } : {}),
    schema: parentSchema ?? true,
  };
}
