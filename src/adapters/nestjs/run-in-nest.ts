import { type ArgumentsHost, type ExecutionContext, HttpException } from '@nestjs/common';
import { ContextIdFactory, type ExternalContextCreator, type ModuleRef } from '@nestjs/core';
import { readDeclaredClass } from '../../classes/declarations.ts';
import { ToolmendError, signalTextOf } from '../../errors/errors.ts';
import type { Invocation, InvokeMethod } from '../../execute/call-instances.ts';
import { drainGenerator, isGenerator } from '../../execute/tool-result.ts';
import { notExecuted, whyNotExecuted } from '../../messages/call-messages.ts';
import type { InterceptedCall, Interceptor } from '../../registry/intercept.ts';
import type { ApplicationContext, Constructor } from '../../tool/tool-contract.ts';
import type { ToolProvider, ToolProviders } from './tool-providers.ts';
import type { ToolmendModuleOptions } from './toolmend-module.ts';

/** What `context.getType()` says in a guard, interceptor or filter around a tool call. */
export const toolContextType = 'toolmend';

/** A call whose arguments were accepted; frozen. */
export type ToolExecution = Omit<InterceptedCall, 'deny' | 'answer' | 'amend'>;

/**
 * The tool call that a guard, interceptor, filter or parameter decorator stands around; undefined around anything else,
 * as an HTTP request.
 */
export function toolExecutionOf(host: ArgumentsHost): ToolExecution | undefined {
  return host.getType<string>() === toolContextType ? host.getArgByIndex<ToolExecution>(1) : undefined;
}

function executionOf(call: InterceptedCall): ToolExecution {
  const {
    call: sent,
    tool,
    contract,
    interpretation,
    arguments: interpreted,
    values,
    tenant,
    signal,
    approval,
  } = call;
  const facts = { call: sent, tool, contract, interpretation, values, tenant, signal, approval };
  return Object.freeze({ ...facts, arguments: interpreted });
}

// Remembered by the values that are made for each call.
export type ContextId = ReturnType<typeof ContextIdFactory.create>;

/** One call, to Nest. */
export interface CallScope {
  readonly contextId: ContextId;
  readonly execution: ToolExecution;
}

export class CallScopes {
  readonly #moduleRef: ModuleRef;
  readonly #requestOf: NonNullable<ToolmendModuleOptions['request']>;
  readonly #scopes = new WeakMap<ApplicationContext, CallScope>();
  readonly #requests = new WeakMap<object, ContextId>();

  constructor(moduleRef: ModuleRef, requestOf: ToolmendModuleOptions['request'] = () => undefined) {
    this.#moduleRef = moduleRef;
    this.#requestOf = requestOf;
  }

  open(call: InterceptedCall): CallScope {
    const { values } = call;
    const contextId = this.#contextOf(this.#requestOf(values) ?? values);
    const scope = { contextId, execution: executionOf(call) };
    this.#scopes.set(values, scope);
    return scope;
  }

  of(values: ApplicationContext): CallScope {
    const scope = this.#scopes.get(values);
    if (scope !== undefined) return scope;
    throw new ToolmendError('no-scope', 'a tool call has not gone through the guards of the application');
  }

  /** Nest's own id where Nest has served the request, so that its request-scoped providers are there already. */
  #contextOf(request: object): ContextId {
    const known = this.#requests.get(request);
    if (known !== undefined) return known;
    const contextId = ContextIdFactory.getByRequest(request);
    this.#moduleRef.registerRequestByContextId(request, contextId);
    this.#requests.set(request, contextId);
    return contextId;
  }
}

// The class of arguments of a tool method, or the filled instance of a tool class; never the context.
/** The key under which Nest is told of the parameter. */
const pipedKey = 'toolmend:piped';

/** Where the value stands among what enhancers get. */
const pipedIndex = 2;

/** The member that has the metadata: none of the class's own, so that a method's own decorators stay as they are. */
const pipedMember = (method: string): string => `${pipedKey}:${method}`;

/** Nest runs pipes only where it finds a parameter; without this they would be skipped in silence. */
export function declarePipedParameters({ Class, kind }: ToolProvider): void {
  if (kind === 'class') declarePiped(Class, 'execute', Class);
  for (const { method, Arguments } of readDeclaredClass(Class).toolMethods)
    declarePiped(Class, method, Arguments);
}

// The suffix makes it a custom parameter: a ValidationPipe leaves those alone, and the arguments have been validated.
function declarePiped(Class: Constructor, method: string, type: unknown): void {
  const factory = (_data: unknown, context: ExecutionContext): unknown =>
    context.getArgByIndex<unknown>(pipedIndex);
  const parameter = { index: 0, factory, data: undefined, pipes: [] };
  const member = pipedMember(method);
  Reflect.defineMetadata('design:paramtypes', [type], Class.prototype, member);
  const { constructor } = Class.prototype;
  Reflect.defineMetadata(pipedKey, { 'arguments__customRouteArgs__:0': parameter }, constructor, member);
}

// Each by Nest itself.
/** A method of a provider, and the call that is to run it. */
export interface ChainedCall {
  readonly provider: ToolProvider;
  readonly method: string;
  readonly scope: CallScope;
  /** Of the provider's class; a guard sees none of it but the class. */
  readonly instance: object;
}

type Part = 'guards' | 'interceptors' | 'filters';

/** Runs one part of Nest's chain at a time, so that what each has decided is never lost in what the next returns. */
export class EnhancerChain {
  readonly #creator: ExternalContextCreator;

  constructor(creator: ExternalContextCreator) {
    this.#creator = creator;
  }

  /** Rejects with what a guard throws; with Nest's ForbiddenException where one says no. */
  async guard(chained: ChainedCall): Promise<void> {
    await this.#run(chained, 'guards', () => undefined);
  }

  /** Interceptors around pipes around `run`, which gets what the pipes made of the value. */
  intercept(chained: ChainedCall, piped: unknown, run: (piped: unknown) => unknown): Promise<unknown> {
    return this.#run(chained, 'interceptors', run, piped);
  }

  /** What the filters make of an error: `threw` with it if none of them catches it. */
  async filter(chained: ChainedCall, error: unknown): Promise<FilterResult> {
    try {
      const returned = await this.#run(chained, 'filters', () => {
        throw error;
      });
      return { kind: 'returned', value: returned };
    } catch (thrown) {
      return { kind: 'threw', error: thrown };
    }
  }

  #run(
    { provider, method, scope, instance }: ChainedCall,
    part: Part,
    run: (piped: unknown) => unknown,
    piped?: unknown,
  ): Promise<unknown> {
    const { wrapper } = provider;
    const { execution, contextId } = scope;
    const isPiped = part === 'interceptors';
    const chain = this.#creator.create(
      instance,
      inPlaceOf(methodOf(instance, method), run),
      isPiped ? pipedMember(method) : method,
      isPiped ? pipedKey : undefined,
      isPiped ? { exchangeKeyForValue: () => undefined } : undefined,
      contextId,
      wrapper.id,
      { guards: false, interceptors: false, filters: false, [part]: true },
      toolContextType,
    );
    return chain(execution.arguments, execution, piped);
  }
}

/** A filter's value is no result of the tool: whoever asks decides what it means. */
export type FilterResult =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

function methodOf(instance: object, name: string): (...parameters: never[]) => unknown {
  const method: unknown = Reflect.get(instance, name);
  if (isCallable(method)) return method;
  throw new ToolmendError('no-method', `${instance.constructor.name} has no method ${name}`);
}

const isCallable = (value: unknown): value is (...parameters: never[]) => unknown =>
  typeof value === 'function';

/** A function of the method's name that has what decorators said of the method: metadata is inherited. */
function inPlaceOf(
  method: (...parameters: never[]) => unknown,
  run: (...parameters: unknown[]) => unknown,
): (...parameters: unknown[]) => unknown {
  const standIn = (...parameters: unknown[]): unknown => run(...parameters);
  Object.setPrototypeOf(standIn, method);
  return Object.defineProperty(standIn, 'name', { value: method.name });
}

// Guards before anything is asked or made; then interceptors around pipes around the method, and filters where it
// throws. A guard's "no" is the outcome `denied`, and what a filter returns is no result.
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
    ? notExecuted(tool, whyNotExecuted.not_allowed)
    : notExecuted(tool, said);

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
