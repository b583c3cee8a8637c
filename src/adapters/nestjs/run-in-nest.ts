// Runs a tool call through Nest: guards before anything else, then interceptors around pipes around
// the method, and filters for what they throw.
import { type ArgumentsHost, type ExecutionContext, HttpException } from '@nestjs/common';
import { type ExternalContextCreator, type ModuleRef, ContextIdFactory } from '@nestjs/core';
import { readDeclaredClass } from '../../classes/declarations.ts';
import { ToolFailure, ToolmendError, signalTextOf } from '../../errors/errors.ts';
import type { Settled } from '../../run/run-until-ended.ts';
import { drainGenerator, isGenerator } from '../../run/drain-generator.ts';
import { notExecuted, whyNotExecuted } from '../../messages/call-messages.ts';
import type { ApplicationContext, Constructor } from '../../tool/tool-contract.ts';
import type { ContextId, ToolHandler, ToolProvider, ToolProviders } from './tool-providers.ts';
import { type Invocation, type InvokeMethod, methodOf } from '../../run/call-instances.ts';
import type { InterceptedCall, Interceptor } from '../../run/interceptor.ts';
import { RunContext } from '../../run/tool-context.ts';

/** The result of `context.getType()` in a guard, interceptor or filter of a tool call. */
export const toolContextType = 'toolmend';

/** A call with accepted arguments. Frozen. */
export type ToolExecution = Omit<InterceptedCall, 'deny' | 'answer' | 'amend'>;

/**
 * The tool call that a guard, interceptor, filter or parameter decorator runs for. Undefined for
 * anything else, such as an HTTP request.
 */
export function toolExecutionOf(host: ArgumentsHost): ToolExecution | undefined {
  return host.getType<string>() === toolContextType
    ? host.getArgByIndex<ToolExecution>(1)
    : undefined;
}

interface CallScope {
  readonly contextId: ContextId;
  readonly execution: ToolExecution;
}

type RequestOf = (values: ApplicationContext) => object | undefined;

/** The scopes of running calls, by their context values, which are new for each call. */
export class CallScopes {
  readonly #moduleRef: ModuleRef;
  readonly #requestOf: RequestOf;
  readonly #scopes = new WeakMap<ApplicationContext, CallScope>();
  readonly #requests = new WeakMap<object, ContextId>();

  constructor(moduleRef: ModuleRef, requestOf: RequestOf = () => undefined) {
    this.#moduleRef = moduleRef;
    this.#requestOf = requestOf;
  }

  open(call: InterceptedCall): CallScope {
    const {
      tool,
      contract,
      interpretation,
      values,
      tenant,
      signal,
      approval,
      arguments: sentArguments,
    } = call;
    const facts = { call: call.call, tool, contract, interpretation, arguments: sentArguments };
    const execution = Object.freeze({ ...facts, values, tenant, signal, approval });
    const contextId = this.#contextOf(this.#requestOf(values) ?? values);
    const scope = { contextId, execution };
    this.#scopes.set(values, scope);
    return scope;
  }

  of(values: ApplicationContext): CallScope {
    const scope = this.#scopes.get(values);
    if (scope !== undefined) return scope;
    throw new ToolmendError(
      'no-scope',
      'a tool call did not go through the guards of the application',
    );
  }

  /**
   * Nest's own id for a request that Nest serves, so that the call shares its request-scoped
   * providers.
   */
  #contextOf(request: object): ContextId {
    const cachedContextId = this.#requests.get(request);
    if (cachedContextId !== undefined) return cachedContextId;
    const contextId = ContextIdFactory.getByRequest(request);
    this.#moduleRef.registerRequestByContextId(request, contextId);
    this.#requests.set(request, contextId);
    return contextId;
  }
}

const pipedKey = 'toolmend:piped';

/** The index of the piped value in the arguments of enhancers. */
const pipedIndex = 2;

/** Not a member of the class, so that the metadata of the method itself stays untouched. */
const pipedMember = (method: string): string => `${pipedKey}:${method}`;

/**
 * Declares the parameter for pipes: the arguments of a tool method, or the instance of a tool
 * class. Nest runs pipes only if it finds a parameter.
 */
export function declarePipedParameters({ Class, kind }: ToolProvider): void {
  if (kind === 'class') declarePiped(Class, 'execute', Class);
  for (const { method, Arguments } of readDeclaredClass(Class).toolMethods)
    declarePiped(Class, method, Arguments);
}

/** As a custom parameter, which a ValidationPipe skips: the arguments are validated already. */
function declarePiped(Class: Constructor, method: string, type: unknown): void {
  const factory = (_data: unknown, context: ExecutionContext): unknown =>
    context.getArgByIndex<unknown>(pipedIndex);
  const parameter = { index: 0, factory, data: undefined, pipes: [] };
  const member = pipedMember(method);
  Reflect.defineMetadata('design:paramtypes', [type], Class.prototype, member);
  const { constructor } = Class.prototype;
  Reflect.defineMetadata(
    pipedKey,
    { 'arguments__customRouteArgs__:0': parameter },
    constructor,
    member,
  );
}

interface ChainedCall extends ToolHandler {
  readonly creator: ExternalContextCreator;
  readonly scope: CallScope;
  /** Of the provider's class. Guards see only the class. */
  readonly instance: object;
}

/**
 * Runs one part of Nest's chain, so that the result of one part is never lost in the next.
 * Interceptors run around pipes around `run`, which gets the piped value. Rejects with what a guard
 * throws, or with Nest's ForbiddenException if it returns false.
 */
function runPart(
  { creator, provider, method, scope: { execution, contextId }, instance }: ChainedCall,
  part: 'guards' | 'interceptors' | 'filters',
  run: (pipedArguments: unknown) => unknown,
  pipedArguments?: unknown,
): Promise<unknown> {
  const isPiped = part === 'interceptors';
  const chain = creator.create(
    instance,
    standInFor(methodOf(instance, method), run),
    isPiped ? pipedMember(method) : method,
    isPiped ? pipedKey : undefined,
    isPiped ? { exchangeKeyForValue: () => undefined } : undefined,
    contextId,
    provider.wrapper.id,
    { guards: false, interceptors: false, filters: false, [part]: true },
    toolContextType,
  );
  return chain(execution.arguments, execution, pipedArguments);
}

/**
 * A value that a filter returns is not a result of the tool. The kind is `threw` with the error
 * itself if no filter catches it.
 */
async function runFilters(chainedCall: ChainedCall, error: unknown): Promise<Settled> {
  try {
    const value = await runPart(chainedCall, 'filters', () => {
      throw error;
    });
    return { kind: 'returned', value };
  } catch (thrownError) {
    return { kind: 'threw', error: thrownError };
  }
}

/** A function with the name and the metadata of a method, which it inherits. */
function standInFor(method: object, run: (pipedArguments: unknown) => unknown) {
  const standIn = (pipedArguments: unknown): unknown => run(pipedArguments);
  Object.setPrototypeOf(standIn, method);
  return Object.defineProperty(standIn, 'name', { value: Reflect.get(method, 'name') });
}

export interface NestCalls {
  readonly providers: ToolProviders;
  readonly scopes: CallScopes;
  readonly creator: ExternalContextCreator;
}

/**
 * The innermost interceptor of the registry: guards run before an approval is requested. A guard's
 * refusal is the outcome `denied`.
 */
export const guardCalls =
  ({ providers, scopes, creator }: NestCalls): Interceptor =>
  async (call, next) => {
    const handler = providers.handlerOf(call.contract);
    const scope = scopes.open(call);
    await providers.prepare(handler.provider, scope.contextId);
    const instance: object = Object.create(handler.provider.Class.prototype);
    const reason = await denialOf({ ...handler, creator, scope, instance });
    return reason === undefined ? next() : call.deny(denialMessage(call.tool, reason));
  };

/**
 * Why a guard denies the call. Undefined if none does. Rejects with an error of a broken guard, and
 * with signals for the model.
 */
async function denialOf(chainedCall: ChainedCall): Promise<string | undefined> {
  try {
    await runPart(chainedCall, 'guards', () => undefined);
    return undefined;
  } catch (error) {
    const text = clientTextOf(error);
    if (text === undefined) throw error;
    const result = await runFilters(chainedCall, error);
    const signal = signalTextOf(result.kind === 'threw' ? result.error : result.value);
    return signal?.text ?? text;
  }
}

/**
 * What an HTTP client would read of an exception below 500, such as 403, 404 and 409. undefined for
 * any other error.
 */
function clientTextOf(error: unknown): string | undefined {
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return undefined;
  const message: unknown = Reflect.get(Object(error.getResponse()), 'message');
  // Pipes and DTOs give a list.
  return Array.isArray(message) ? message.map(String).join('; ') : error.message;
}

/** The message of Nest for a guard that returned false. */
const nestMessage = 'Forbidden resource';

const denialMessage = (tool: string, reason: string): string =>
  notExecuted(
    tool,
    reason === nestMessage || reason.trim() === '' ? whyNotExecuted.not_allowed : reason,
  );

/**
 * Throws signals for the model, and other exceptions as they are. Filters see neither signals nor
 * what ends a run at a question, because the call has not failed. Interceptors see both, to undo
 * what they have begun.
 */
export const invokeInNest =
  ({ providers, scopes, creator }: NestCalls): InvokeMethod =>
  async (invocation) => {
    const { contract, context, instance } = invocation;
    const scope = scopes.of(context.values);
    const chainedCall = { ...providers.handlerOf(contract), creator, scope, instance };
    const [first] = invocation.parameters;
    const pipedArguments = hasArguments(invocation) ? first : instance;
    try {
      return await runPart(
        chainedCall,
        'interceptors',
        (value) => runOn(value, invocation),
        pipedArguments,
      );
    } catch (error) {
      if (RunContext.isWaiting(context) || signalTextOf(error) !== undefined) throw error;
      throw await filterError(chainedCall, error);
    }
  };

/** A tool class has its arguments in its fields, and gets only the context. */
const hasArguments = ({ parameters }: Invocation): boolean => parameters.length > 1;

function runOn(pipedArguments: unknown, invocation: Invocation): unknown {
  const { instance, method, parameters, context } = invocation;
  const code = methodOf(instance, method);
  if (!hasArguments(invocation) && pipedArguments !== instance)
    writeFields(instance, pipedArguments);
  const methodArguments = hasArguments(invocation) ? [pipedArguments, context] : parameters;
  const returnedValue: unknown = Reflect.apply(code, instance, methodArguments);
  if (!isGenerator(returnedValue)) return returnedValue;
  // Inside the chain, so that interceptors see the result, and filters what the generator throws.
  const { signal, progress } = context;
  return drainGenerator(returnedValue, { throwIfStopped: () => signal.throwIfAborted() }, progress);
}

/** A pipe may return a copy of the instance: its fields are the arguments then. */
function writeFields(instance: object, pipedArguments: unknown): void {
  if (typeof pipedArguments !== 'object' || pipedArguments === null) {
    const message = `a pipe did not return an object for ${instance.constructor.name}: return the value, or a copy of its fields`;
    throw new ToolmendError('pipe-result', message);
  }
  Object.assign(instance, pipedArguments);
}

/**
 * The error that the call ends with. A filter may throw or return a `ToolRetry` or a `ToolFailure`
 * for the model. Anything else that it returns is ignored, and anything else that it throws is kept
 * beside the first error. The model reads the text of an HttpException below 500, also if a filter
 * that was made for HTTP breaks on it.
 */
async function filterError(chainedCall: ChainedCall, error: unknown): Promise<unknown> {
  const result = await runFilters(chainedCall, error);
  const thrownOrValue = result.kind === 'threw' ? result.error : result.value;
  if (signalTextOf(thrownOrValue) !== undefined) return thrownOrValue;
  const isSame = result.kind === 'returned' || thrownOrValue === error;
  const cause = isSame
    ? error
    : new AggregateError(
        [error, thrownOrValue],
        'a tool threw, and then an exception filter threw',
      );
  const decisive = !isSame && thrownOrValue instanceof HttpException ? thrownOrValue : error;
  const text = clientTextOf(decisive);
  return text === undefined ? cause : new ToolFailure(text, { cause });
}
