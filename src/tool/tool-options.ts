import {
  type OptionKind,
  type OptionKinds,
  alsoCalled,
  any,
  boolean,
  callback,
  count,
  either,
  kindWithHint,
  list,
  milliseconds,
  object,
  oneOfWords,
  optionProblems,
  required,
  string,
} from '../options/check-options.ts';
import type { ReportProblem } from '../errors/definition-error.ts';
import { defined, freezeDeep } from '../collections/objects.ts';
import { contractKinds, onUnusableSchemaKind } from './contract-options.ts';
import type { TimeLimits } from './time-limits.ts';
import {
  type CallLimits,
  type ContractOptions,
  type ExecutionMetadata,
  type ToolAnnotations,
  type ToolContract,
  type ToolOptions,
} from './tool-contract.ts';

const keyKind = (what: string): OptionKind =>
  object({
    key: required(callback(`write a function that returns the ${what}, (values) => …`)),
  });

const limitKinds: OptionKinds<CallLimits> = {
  rate: object(
    { calls: required(count(1)), perMs: required(milliseconds) },
    'write { calls, perMs }',
  ),
  running: count(1),
  waitMs: milliseconds,
  per: either(
    "write 'tenant', 'all' or { key: (values) => … }",
    oneOfWords('tenant', 'all'),
    keyKind('key'),
  ),
};

const annotationKinds: OptionKinds<ToolAnnotations> = {
  idempotentHint: boolean,
  openWorldHint: boolean,
};

const { name: nameKind, ...ofContracts } = contractKinds;

/**
 * The kinds of all options that classes, methods, definitions, remote tools' overlays and calls
 * have for a tool.
 */
export const toolKinds = {
  name: nameKind,
  title: string,
  description: required({
    accepts: (text) => typeof text === 'string' && text.trim() !== '',
    instead: "write description: '…', which says to the model what the tool does",
  }),
  ...ofContracts,
  concurrency: either(
    "write 'parallel', 'exclusive' or { key: (values) => … }",
    oneOfWords('parallel', 'exclusive'),
    keyKind('lock'),
  ),
  callLimit: count(1),
  retryLimit: count(0),
  returnDirect: boolean,
  idempotent: boolean,
  polls: boolean,
  transactional: boolean,
  idempotencyKey: callback('write a function that returns the key, (values) => …'),
  undo: callback('write a function that returns a call, (values, result) => ({ tool, arguments })'),
  limits: object(limitKinds, 'write { rate: { calls, perMs }, running }'),
  annotations: object(annotationKinds, 'write an object such as { openWorldHint: false }'),
  background: oneOfWords('never', 'allowed', 'always'),
  groups: list(kindWithHint(string, 'write the name of a group')),
  transform: boolean,
  // Checked by `readOutputSchema`.
  outputSchema: alsoCalled(any, 'returns'),
  onUnusableSchema: onUnusableSchemaKind,
};

const { strict: _strict, hints: _hints, onUnusableSchema: _unusable, ...ofClasses } = toolKinds;
const toolOptionKinds: OptionKinds<ToolOptions> = ofClasses;

/** Reports every problem with options. Default for `kinds`: those of `@Tool` and `@ToolMethod`. */
export function checkToolOptions(
  options: unknown,
  report: ReportProblem,
  kinds: Readonly<Record<string, OptionKind>> = toolOptionKinds,
): void {
  for (const { what, instead } of optionProblems('', options, kinds)) report(what, instead);
}

/** The option `outputSchema`, read. */
export type OutputMetadata = Pick<
  ExecutionMetadata,
  'outputSchema' | 'annotatedOutputSchema' | 'outputCheck'
>;

/** The parts of a contract that don't concern its arguments. */
export type ToolMetadata = Pick<
  ToolContract,
  keyof ContractOptions | 'name' | 'title' | 'description' | 'execution'
>;

/**
 * Reads checked options and fills in defaults. `writtenName`: the name of the class or the method.
 */
export function readToolMetadata(
  options: ToolOptions,
  writtenName: string,
  output: OutputMetadata,
  report: ReportProblem,
): ToolMetadata {
  const { name = toSnakeCase(writtenName), title, effects, timeoutMs, maxTimeoutMs } = options;
  const { description, enabled, deferred, dispatches, rules, ownRules } = options;
  const { providerOptions } = options;
  if (!isPortableName(name)) {
    report(
      `has the name ${JSON.stringify(name)}, which some providers refuse`,
      'write name: with letters, digits, _ and -, at most 64, starting with a letter or _',
    );
  }
  checkTimeLimits(options, report);
  const execution = executionMetadata(options, output);
  return {
    name,
    description,
    repair: options.repair ?? (effects === 'destructive' ? 'lossless' : 'all'),
    unknownArguments: options.unknownArguments ?? 'reject',
    ...defined({
      rules,
      ownRules,
      title,
      effects,
      timeoutMs,
      maxTimeoutMs,
      enabled,
      deferred,
      providerOptions: providerOptions && freezeDeep(structuredClone(providerOptions)),
      dispatches,
      execution,
    }),
  };
}

/** Reports a maximum that is below the usual limit. */
export function checkTimeLimits(
  { timeoutMs = 0, maxTimeoutMs }: TimeLimits,
  report: ReportProblem,
): void {
  if (maxTimeoutMs === undefined || maxTimeoutMs >= timeoutMs) return;
  const what = `has maxTimeoutMs: ${maxTimeoutMs}, which is less than timeoutMs: ${timeoutMs}`;
  report(what, 'write at least timeoutMs');
}

/** undefined if the author gave no execution option. */
function executionMetadata(
  options: ToolOptions,
  output: OutputMetadata,
): ExecutionMetadata | undefined {
  const { concurrency, callLimit, retryLimit, returnDirect, background, limits } = options;
  const { idempotent, polls, transactional, annotations } = options;
  const idempotencyKey = options.idempotencyKey?.bind(options);
  const undo = options.undo?.bind(options);
  const metadata = {
    ...defined({ concurrency, callLimit, retryLimit, returnDirect, background, limits }),
    ...defined({ idempotent, idempotencyKey, polls, transactional, annotations, undo }),
    ...output,
  };
  return Object.keys(metadata).length === 0 ? undefined : Object.freeze(metadata);
}

/** A name that all providers accept. */
export const isPortableName = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name);

/** `ReadFiles` becomes `read_files`, `parseHTMLPage` becomes `parse_html_page`. */
const toSnakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
