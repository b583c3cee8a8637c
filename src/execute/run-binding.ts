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
  if (binding.kind === 'class') return runClass(contract, binding, values, parts);
  if (binding.kind === 'method') return runMethod(contract, binding, values, parts);
  throw new ToolmendError(
    'nothing-to-execute',
    `${contract.name} has nothing to execute: give it a function`,
  );
}

async function runClass(
  contract: ToolContract,
  binding: ClassBinding,
  values: JsonObject,
  { context, running, instances }: RunParts,
): Promise<unknown> {
  const instance = await instances.forCall(binding.Class, context.call, context.values);
  // The call may have ended while the instance was made: nothing may start after its end.
  running.throwIfStopped();
  const { method } = binding;
  binding.fill(instance, values, context.values);
  return instances.invoke({ contract, instance, method, parameters: [context], context });
}

async function runMethod(
  contract: ToolContract,
  binding: MethodBinding,
  values: JsonObject,
  { context, running, instances }: RunParts,
): Promise<unknown> {
  const owner = await instances.ownerOf(binding.Owner, context.call, context.values);
  running.throwIfStopped();
  const parameters = [binding.makeArguments(values, context.values), context];
  return instances.invoke({ contract, instance: owner, method: binding.method, parameters, context });
}
