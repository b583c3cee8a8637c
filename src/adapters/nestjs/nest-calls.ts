// How does a call go through Nest? Guards before anything is asked or made; then interceptors around pipes around the method,
// and filters where it throws. A guard's "no" is the outcome `denied`, and what a filter returns is no result.
import { HttpException } from '@nestjs/common';
import { signalTextOf } from '../../errors/tool-signals.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { Invocation, InvokeMethod } from '../../execute/call-instances.ts';
import { drainGenerator, isGenerator } from '../../execute/results/drain-generator.ts';
import type { InterceptedCall, Interceptor } from '../../registry/intercept/interceptor.ts';
import type { CallScopes } from './call-scopes.ts';
import type { ChainedCall, EnhancerChain } from './enhancer-chain.ts';
import type { ToolProviders } from './tool-providers.ts';

/** What the parts of the way through Nest share. */
export interface NestCalls {
  readonly providers: ToolProviders;
  readonly scopes: CallScopes;
  readonly chain: EnhancerChain;
}

/** Stands innermost among the registry's interceptors, before an approval is asked for. */
export const guardCalls =
  ({ providers, scopes, chain }: NestCalls): Interceptor =>
  async (call, next) => {
    const { provider, method } = providers.handlerOf(call.contract);
    const scope = scopes.open(call);
    await providers.prepare(provider, scope.contextId);
    const instance: object = Object.create(provider.Class.prototype);
    const denied = await denialOf(chain, { provider, method, scope, instance });
    return denied === undefined ? next() : call.deny(sentenceFor(call, denied));
  };

/** Why a guard says no; undefined: none does. Rejects with what a guard breaks on, and with signals for the model. */
async function denialOf(chain: EnhancerChain, chained: ChainedCall): Promise<string | undefined> {
  try {
    await chain.guard(chained);
    return undefined;
  } catch (error) {
    if (!isDenial(error)) throw error;
    const result = await chain.filter(chained, error);
    const said = signalTextOf(result.kind === 'threw' ? result.error : result.value);
    return said?.text ?? error.message;
  }
}

/** An HTTP client would read of it: 401, 403, 429. Anything else is a guard that broke. */
const isDenial = (error: unknown): error is HttpException =>
  error instanceof HttpException && error.getStatus() < 500;

// What Nest says for a guard that returned false.
const nestsOwn = 'Forbidden resource';

const sentenceFor = ({ tool }: InterceptedCall, said: string): string =>
  said === nestsOwn || said.trim() === ''
    ? `${tool} was not executed: the application does not allow this call.`
    : `${tool} was not executed: ${said}`;

/** Throws what the model is to read as a signal, and any other exception as it came. */
export const invokeInNest =
  ({ providers, scopes, chain }: NestCalls): InvokeMethod =>
  async (invocation) => {
    const { contract, context, instance } = invocation;
    const chained = { ...providers.handlerOf(contract), scope: scopes.of(context.values), instance };
    const [first] = invocation.parameters;
    const piped = hasArguments(invocation) ? first : instance;
    try {
      return await chain.intercept(chained, piped, (value) => runOn(value, invocation));
    } catch (error) {
      throw signalTextOf(error) === undefined ? await filtered(chain, chained, error) : error;
    }
  };

/** A tool class has its arguments in its fields, and gets the context alone. */
const hasArguments = ({ parameters }: Invocation): boolean => parameters.length > 1;

function runOn(piped: unknown, invocation: Invocation): unknown {
  const { instance, method, parameters, context } = invocation;
  const code: unknown = Reflect.get(instance, method);
  if (!isFunction(code))
    throw new ToolmendError('no-method', `${instance.constructor.name} has no ${method}`);
  if (!hasArguments(invocation) && piped !== instance) writeFields(instance, piped);
  const returned: unknown = Reflect.apply(
    code,
    instance,
    hasArguments(invocation) ? [piped, context] : parameters,
  );
  return isGenerator(returned) ? drained(returned, context) : returned;
}

/** Within the chain: interceptors see the result, and filters what the generator throws. */
const drained = (returned: AsyncGenerator, { signal, progress }: Invocation['context']): Promise<unknown> =>
  drainGenerator(returned, { throwIfStopped: () => signal.throwIfAborted() }, progress);

/** What a pipe returned instead of the instance: the fields that it has are the arguments now. */
function writeFields(instance: object, piped: unknown): void {
  if (typeof piped !== 'object' || piped === null) {
    const what = `a pipe returned no object for ${instance.constructor.name}: return the value, or a copy of its fields`;
    throw new ToolmendError('pipe-result', what);
  }
  Object.assign(instance, piped);
}

const isFunction = (value: unknown): value is (...parameters: unknown[]) => unknown =>
  typeof value === 'function';

/**
 * The error to end with. A filter may throw or return a `ToolRetry` or a `ToolFailure` for the model; whatever else it
 * returns is no result of the tool, and what it throws is kept beside the exception that it was asked about.
 */
async function filtered(chain: EnhancerChain, chained: ChainedCall, error: unknown): Promise<unknown> {
  const result = await chain.filter(chained, error);
  const made = result.kind === 'threw' ? result.error : result.value;
  if (signalTextOf(made) !== undefined) return made;
  if (result.kind === 'returned' || made === error) return error;
  return new AggregateError([error, made], 'a tool threw, and then an exception filter did');
}
