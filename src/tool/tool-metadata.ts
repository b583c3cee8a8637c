import { classCheck } from '../classes/class-instance.ts';
import { classSchema } from '../classes/class-schema.ts';
import type { ArgumentClass, DeclaredTool } from '../classes/declarations.ts';
import { readClassModels } from '../classes/read-class.ts';
import { type Complain, type ComplaintBook, timeComplaints } from '../errors/definition-error.ts';
import { freezeDeep } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { withoutAnnotations } from '../schema/schema-view.ts';
import {
  type DeclaredExecution,
  type ExecutionFacts,
  type ToolContract,
  isPortableName,
  toSnakeCase,
} from './tool-contract.ts';

// A JSON Schema, or a class that becomes one.
type OutputFacts = Pick<ExecutionFacts, 'outputSchema' | 'annotatedOutputSchema' | 'outputCheck'>;

/** Frozen; empty if nothing was said. `complain`: of the tool. */
function readOutputFacts(
  written: DeclaredExecution['outputSchema'],
  complain: Complain,
  book: ComplaintBook,
): OutputFacts {
  if (written === undefined) return {};
  if (isClass(written)) return outputOfClass(written, book);
  if (!isObjectSchema(written)) {
    complain(
      'has an outputSchema that is no object schema',
      "write { type: 'object', properties: { … } }, or a class with decorated fields",
    );
    return {};
  }
  return schemasOf(structuredClone(written));
}

function outputOfClass(Class: ArgumentClass, book: ComplaintBook): OutputFacts {
  const models = readClassModels(Class, 'result', book);
  for (const { name, contextFields } of models.values()) {
    for (const field of contextFields) {
      book.at(name, field.name)(
        'is @FromContext in a class of results',
        'leave it out: the tool fills its result',
      );
    }
  }
  const check = classCheck(Class, models);
  return {
    ...schemasOf(classSchema(Class, models).schema),
    ...(check === undefined ? {} : { outputCheck: check }),
  };
}

const schemasOf = (annotated: SchemaObject): OutputFacts => ({
  outputSchema: freezeDeep(withoutAnnotations(annotated)),
  annotatedOutputSchema: freezeDeep(annotated),
});

const isClass = (written: unknown): written is ArgumentClass => typeof written === 'function';

const isObjectSchema = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Reflect.get(schema, 'type') === 'object';

// Copied and checked; types are not trusted alone.
/** Frozen; undefined if nothing was said. `complain`: of the tool. */
function readExecutionFacts(
  options: DeclaredExecution,
  complain: Complain,
  book: ComplaintBook,
): ExecutionFacts | undefined {
  const { concurrency, callLimit, retryLimit, maxResultChars, returnDirect } = options;
  complainOfConcurrency(concurrency, complain);
  complainOfCount('callLimit', { value: callLimit, least: 1 }, complain);
  complainOfCount('retryLimit', { value: retryLimit, least: 0 }, complain);
  complainOfCount('maxResultChars', { value: maxResultChars, least: leastResult }, complain);
  if (returnDirect !== undefined && typeof returnDirect !== 'boolean') {
    complain(`has returnDirect: ${JSON.stringify(returnDirect)}`, 'write true or false');
  }
  const facts: ExecutionFacts = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(callLimit === undefined ? {} : { callLimit }),
    ...(retryLimit === undefined ? {} : { retryLimit }),
    ...readOutputFacts(options.outputSchema, complain, book),
    ...(maxResultChars === undefined ? {} : { maxResultChars }),
    ...(returnDirect === undefined ? {} : { returnDirect }),
  };
  return Object.keys(facts).length === 0 ? undefined : Object.freeze(facts);
}

/** Below it a page would hold little but the note that there are more. */
const leastResult = 100;

function complainOfConcurrency(concurrency: unknown, complain: Complain): void {
  const hasKey =
    typeof concurrency === 'object' &&
    concurrency !== null &&
    typeof Reflect.get(concurrency, 'key') === 'function';
  if (concurrency === undefined || concurrency === 'parallel' || concurrency === 'exclusive' || hasKey)
    return;
  complain('has a concurrency that is none', "write 'parallel', 'exclusive' or { key: (values) => … }");
}

function complainOfCount(
  option: string,
  { value, least }: { readonly value: number | undefined; readonly least: number },
  complain: Complain,
): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  complain(`has the ${option} ${String(value)}`, `write a whole number, at least ${least}`);
}

// Options are copied and checked; types are not trusted alone.
/** What a contract says of a tool beside its arguments. */
export type ToolFacts = Pick<
  ToolContract,
  | 'name'
  | 'title'
  | 'description'
  | 'effects'
  | 'repair'
  | 'unknownArguments'
  | 'timeoutMs'
  | 'enabled'
  | 'deferred'
  | 'execution'
>;

/** The facts, with their defaults; `writtenName` is the class's or the method's, `complain` of the tool. */
export function readToolFacts(
  options: DeclaredTool,
  writtenName: string,
  complain: Complain,
  book: ComplaintBook,
): ToolFacts {
  const { name = toSnakeCase(writtenName), title, description, effects, timeoutMs } = options;
  complainOfName(name, complain);
  if (typeof description !== 'string' || description.trim() === '') {
    complain('has no description', "write description: '…', which says to the model what the tool does");
  }
  complainOfWord('effects', effects, ['read', 'write', 'destructive'], complain);
  complainOfWord('unknownArguments', options.unknownArguments, ['reject', 'strip'], complain);
  complainOfWord('repair', options.repair, ['all', 'lossless'], complain);
  for (const { what, instead } of timeComplaints(name, { timeoutMs })) complain(what, instead);
  const { enabled, deferred } = options;
  if (enabled !== undefined && typeof enabled !== 'function') {
    complain('has an enabled that is no function', 'write enabled: (values) => …');
  }
  const execution = readExecutionFacts(options, complain, book);
  return {
    name,
    description,
    repair: options.repair ?? (effects === 'destructive' ? 'lossless' : 'all'),
    unknownArguments: options.unknownArguments ?? 'reject',
    ...(title === undefined ? {} : { title }),
    ...(effects === undefined ? {} : { effects }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(deferred === true ? { deferred } : {}),
    ...(execution === undefined ? {} : { execution }),
  };
}

function complainOfName(name: string, complain: Complain): void {
  if (isPortableName(name)) return;
  complain(
    `has the name ${JSON.stringify(name)}, which not every provider takes`,
    'write name: with letters, digits, _ and -, at most 64, starting with a letter or _',
  );
}

function complainOfWord(
  option: string,
  value: string | undefined,
  words: readonly string[],
  complain: Complain,
): void {
  if (value === undefined || words.includes(value)) return;
  complain(`has ${option}: ${JSON.stringify(value)}`, `write one of ${words.join(', ')}`);
}
