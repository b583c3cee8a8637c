// Of which kinds are a registry's options? One row each; whether a limit is one is asked afterwards.
import { unknownOptions } from '../../contract/unknown-options.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import {
  functionKind,
  listKind,
  objectKind,
  optionComplaints,
  type OptionKinds,
} from '../../errors/option-complaints.ts';
import type { RegistryOptions } from '../registry-options.ts';

const isFunction = (element: unknown): boolean => typeof element === 'function';
const isObject = (element: unknown): boolean => typeof element === 'object' && element !== null;

const hints = "write 'off', or { longest } with a number of characters";

/** `off`, or an object with nothing in it but `longest`, from 0 on. */
function isHints(value: unknown): boolean {
  if (value === 'off') return true;
  if (!isObject(value) || Array.isArray(value)) return false;
  return Object.entries(Object(value)).every(
    ([option, longest]) =>
      option === 'longest' && (longest === undefined || (typeof longest === 'number' && longest >= 0)),
  );
}

const registryOptionKinds: OptionKinds = {
  create: functionKind('write a function that returns an instance, (Class) => new Class(…)'),
  invoke: functionKind('write a function that runs the method, (invocation, run) => run()'),
  context: objectKind('write an object of values by name'),
  listeners: listKind(isObject, 'write a list of listeners, [{ onEvent(event) { … } }]'),
  interceptors: listKind(isFunction, 'write a list of functions, [(call, next) => next()]'),
  approval: objectKind('write {} to be asked about destructive tools, or { needed }'),
  telemetry: objectKind("write openTelemetry() of 'toolmend/opentelemetry'"),
  meta: listKind(isObject, 'write standardMetaArguments, or a list of meta arguments'),
  pins: objectKind('write what digests() returned'),
  hints: { fits: isHints, instead: hints },
  judge: functionKind('write a function that makes a judge of a schema, as interpretingJudge is one'),
};

const registryOptions: Readonly<Record<keyof RegistryOptions, true>> = {
  create: true,
  context: true,
  timeLimit: true,
  concurrencyLimit: true,
  resultLimit: true,
  queueLimit: true,
  listeners: true,
  interceptors: true,
  approval: true,
  telemetry: true,
  meta: true,
  pins: true,
  hints: true,
  judge: true,
  invoke: true,
};

/** Throws a DefinitionError with every option of another kind, and every one that there is not. */
export function checkRegistryOptions(options: RegistryOptions): void {
  const where = 'ToolRegistry';
  const misfits = optionComplaints(where, options, registryOptionKinds);
  const unknown = typeof options === 'object' ? unknownOptions(where, Object(options), registryOptions) : [];
  const complaints = [...misfits, ...unknown];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}
