import { type ReportProblem, timeProblems } from '../errors/definition-error.ts';
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
/** Frozen; undefined if nothing was said. `report`: of the tool. */
function readExecutionFacts(
  options: DeclaredExecution,
  output: OutputFacts,
  report: ReportProblem,
): ExecutionFacts | undefined {
  const { concurrency, callLimit, retryLimit, maxResultChars, returnDirect } = options;
  checkConcurrency(concurrency, report);
  checkCount('callLimit', { value: callLimit, least: 1 }, report);
  checkCount('retryLimit', { value: retryLimit, least: 0 }, report);
  checkCount('maxResultChars', { value: maxResultChars, least: leastResult }, report);
  if (returnDirect !== undefined && typeof returnDirect !== 'boolean') {
    report(`has returnDirect: ${JSON.stringify(returnDirect)}`, 'write true or false');
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

function checkConcurrency(concurrency: unknown, report: ReportProblem): void {
  const hasKey =
    typeof concurrency === 'object' &&
    concurrency !== null &&
    typeof Reflect.get(concurrency, 'key') === 'function';
  if (concurrency === undefined || concurrency === 'parallel' || concurrency === 'exclusive' || hasKey)
    return;
  report('has a concurrency that is none', "write 'parallel', 'exclusive' or { key: (values) => … }");
}

function checkCount(
  option: string,
  { value, least }: { readonly value: number | undefined; readonly least: number },
  report: ReportProblem,
): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  report(`has the ${option} ${String(value)}`, `write a whole number, at least ${least}`);
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

/** The facts, with their defaults; `writtenName` is the class's or the method's, `report` of the tool. */
export function readToolFacts(
  options: ToolOptions,
  writtenName: string,
  output: OutputFacts,
  report: ReportProblem,
): ToolFacts {
  const { name = toSnakeCase(writtenName), title, description, effects, timeoutMs } = options;
  checkName(name, report);
  if (typeof description !== 'string' || description.trim() === '') {
    report('has no description', "write description: '…', which says to the model what the tool does");
  }
  checkWord('effects', effects, ['read', 'write', 'destructive'], report);
  checkWord('unknownArguments', options.unknownArguments, ['reject', 'strip'], report);
  checkWord('repair', options.repair, ['all', 'lossless'], report);
  for (const { what, instead } of timeProblems(name, { timeoutMs })) report(what, instead);
  const { enabled, deferred } = options;
  if (enabled !== undefined && typeof enabled !== 'function') {
    report('has an enabled that is no function', 'write enabled: (values) => …');
  }
  const execution = readExecutionFacts(options, output, report);
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

function checkName(name: string, report: ReportProblem): void {
  if (isPortableName(name)) return;
  report(
    `has the name ${JSON.stringify(name)}, which not every provider takes`,
    'write name: with letters, digits, _ and -, at most 64, starting with a letter or _',
  );
}

function checkWord(
  option: string,
  value: string | undefined,
  words: readonly string[],
  report: ReportProblem,
): void {
  if (value === undefined || words.includes(value)) return;
  report(`has ${option}: ${JSON.stringify(value)}`, `write one of ${words.join(', ')}`);
}
