// How do accepted arguments reach the author's code? As a function's argument, an object's fields, or a method's argument.
import { viewsOf } from '../contract/judged-schema/judged-schema.ts';
import type { ClassBinding, MethodBinding, ToolContract } from '../contract/tool-contract.ts';
import { ToolmendError } from '../errors/toolmend-error.ts';
import { argumentsText } from '../interpret/arguments-text.ts';
import type { Accepted } from '../interpret/interpretation.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { CallInstances } from './call-instances.ts';
import { applyDefaults } from './apply-defaults.ts';
import type { Run } from './run-until-ended.ts';
import type { ToolContext } from './tool-context.ts';

/** What a run brings to the author's code. */
export interface RunParts {
  readonly context: ToolContext;
  readonly running: Run;
  readonly instances: CallInstances;
}

/**
 * Runs a tool on arguments that were accepted; they are never written to. What comes back may be a promise. Throws whatever
 * the author's code throws.
 */
export function runBinding(contract: ToolContract, accepted: Accepted, parts: RunParts): unknown {
  const { binding } = contract;
  const { value: values } = accepted;
  if (binding.kind === 'wire') return binding.send(argumentsText(accepted), parts.context);
  if (binding.kind === 'function')
    return binding.execute(applyDefaults(viewsOf(contract), values), parts.context);
  if (binding.kind === 'class') return runClass(binding, values, parts);
  if (binding.kind === 'method') return runMethod(binding, values, parts);
  throw new ToolmendError(
    'nothing-to-execute',
    `${contract.name} has nothing to execute: give it a function`,
  );
}

async function runClass(
  binding: ClassBinding,
  values: JsonObject,
  { context, running, instances }: RunParts,
): Promise<unknown> {
  const instance = await instances.forCall(binding.Class, context.call, context.values);
  // The call may have ended while the instance was made: nothing may start after its end.
  running.throwIfStopped();
  const execute = methodOf(instance, binding.method);
  binding.fill(instance, values, context.values);
  return Reflect.apply(execute, instance, [context]);
}

async function runMethod(
  binding: MethodBinding,
  values: JsonObject,
  { context, running, instances }: RunParts,
): Promise<unknown> {
  const owner = await instances.ownerOf(binding.Owner, context.call, context.values);
  running.throwIfStopped();
  const method = methodOf(owner, binding.method);
  return Reflect.apply(method, owner, [binding.makeArguments(values, context.values), context]);
}

function methodOf(instance: object, name: string): (...parameters: unknown[]) => unknown {
  const method: unknown = Reflect.get(instance, name);
  if (isFunction(method)) return method;
  throw new ToolmendError(
    'no-method',
    `what create gave has no method ${name}: return an instance of the tool's class`,
  );
}

const isFunction = (value: unknown): value is (...parameters: unknown[]) => unknown =>
  typeof value === 'function';
