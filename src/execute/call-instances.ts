// One that the application makes for it, and that has run no other.
import { ToolmendError } from '../errors/errors.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { ApplicationContext, Constructor, ToolContract } from '../tool/tool-contract.ts';
import type { ToolContext } from './tool-context.ts';

/** Makes the instance for one call: a dependency injection container, or `new Class(…)`. */
export type CreateInstance = (
  Class: Constructor,
  call: ToolCall,
  values: ApplicationContext,
) => object | Promise<object>;

/** The author's method as it is about to run. */
export interface Invocation {
  readonly contract: ToolContract;
  /** The instance of a `@Tool` class, its fields filled; or the provider of a tool method. */
  readonly instance: object;
  /** The method's name. */
  readonly method: string;
  /** What the method gets: the context, and before it the instance of its class of arguments, if it has one. */
  readonly parameters: readonly unknown[];
  readonly context: ToolContext;
}

/** Runs the author's method and returns what it returns, for frameworks that stand around methods. */
export type InvokeMethod = (invocation: Invocation, run: () => unknown) => unknown;

const construct: CreateInstance = (Class) => new Class();

/** The instances of one registry. A tool class's fields are the arguments, so two calls must never share one. */
export class CallInstances {
  readonly #create: CreateInstance;
  readonly #invoke: InvokeMethod | undefined;
  readonly #used = new WeakSet();

  constructor(create: CreateInstance = construct, invoke?: InvokeMethod) {
    this.#create = create;
    this.#invoke = invoke;
  }

  /** Runs the method of an instance. */
  invoke(invocation: Invocation): unknown {
    const { instance, method, parameters } = invocation;
    const code = methodOf(instance, method);
    const run = (): unknown => Reflect.apply(code, instance, parameters);
    return this.#invoke === undefined ? run() : this.#invoke(invocation, run);
  }

  /** A new instance of a tool class; throws if it is no object, or has served a call before. */
  async forCall(Class: Constructor, call: ToolCall, values: ApplicationContext): Promise<object> {
    const instance = await this.ownerOf(Class, call, values);
    if (this.#used.has(instance)) {
      throw new ToolmendError(
        'instance-reused',
        `create gave the same ${Class.name} to two calls: make one a call`,
      );
    }
    this.#used.add(instance);
    return instance;
  }

  /** The provider of a tool method, which may be a singleton. */
  async ownerOf(Owner: Constructor, call: ToolCall, values: ApplicationContext): Promise<object> {
    const owner: unknown = await this.#create(Owner, call, values);
    if (typeof owner === 'object' && owner !== null) return owner;
    throw new ToolmendError('no-instance', `create gave no ${Owner.name}: return an instance`);
  }
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
