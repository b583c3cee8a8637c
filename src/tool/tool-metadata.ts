import { type Complain, timeComplaints } from '../errors/definition-error.ts';
import {
  type DeclaredExecution,
  type ExecutionFacts,
  type ToolContract,
  type ToolOptions,
  isPortableName,
  toSnakeCase,
} from './tool-contract.ts';

/** What the option `outputSchema` becomes. */
export type OutputFacts = Pick<ExecutionFacts, 'outputSchema' | 'annotatedOutputSchema' | 'outputCheck'>;

// Copied and checked; types are not trusted alone.
/** Frozen; undefined if nothing was said. `complain`: of the tool. */
function readExecutionFacts(
  options: DeclaredExecution,
  output: OutputFacts,
  complain: Complain,
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
    ...output,
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
  options: ToolOptions,
  writtenName: string,
  output: OutputFacts,
  complain: Complain,
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
  const execution = readExecutionFacts(options, output, complain);
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
