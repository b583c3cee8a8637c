import { ToolmendError } from '../errors/errors.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type {
  ApplicationContext,
  ClassBinding,
  Constructor,
  MethodBinding,
  ToolContract,
} from '../tool/tool-contract.ts';
import type { ToolContext } from './tool-context.ts';

/** Makes the instance for one call: a dependency injection container, or `new Class(…)`. */
export type CreateInstance = (
  Class: Constructor,
  call: ToolCall,
  values: ApplicationContext,
) => object | Promise<object>;

/** A call of the author's method, right before it runs. */
export interface Invocation {
  readonly contract: ToolContract;
  /** The instance of a `@Tool` class, its fields filled; or the provider of a tool method. */
  readonly instance: object;
  /** The method's name. */
  readonly method: string;
  /**
   * The method's parameters: the context, preceded by the instance of its arguments class, if it
   * has one.
   */
  readonly parameters: readonly unknown[];
  readonly context: ToolContext;
}

/** Wraps the author's method, for frameworks with guards, pipes and interceptors of their own. */
export type InvokeMethod = (invocation: Invocation, run: () => unknown) => unknown;

/**
 * Makes the instances of one registry. The fields of a tool class are the arguments, so that two
 * calls never share an instance.
 */
export class CallInstances {
  readonly #create: CreateInstance;
  readonly #invoke: InvokeMethod | undefined;
  readonly #usedInstances = new WeakSet();

  constructor(create: CreateInstance = (Class) => new Class(), invoke?: InvokeMethod) {
    this.#create = create;
    this.#invoke = invoke;
  }

  invoke(invocation: Invocation): unknown {
    const { instance, method, parameters } = invocation;
    const code = methodOf(instance, method);
    const run = (): unknown => Reflect.apply(code, instance, parameters);
    return this.#invoke === undefined ? run() : this.#invoke(invocation, run);
  }

  /**
   * A new instance of a tool class, or the provider of a tool method. Throws for no object, and for
   * an instance of another call.
   */
  async of(
    binding: ClassBinding | MethodBinding,
    call: ToolCall,
    values: ApplicationContext,
  ): Promise<object> {
    const Class = binding.kind === 'class' ? binding.Class : binding.Owner;
    const instance: unknown = await this.#create(Class, call, values);
    if (typeof instance !== 'object' || instance === null)
      throw new ToolmendError('no-instance', `create gave no ${Class.name}: return an instance`);
    if (binding.kind === 'class' && this.#usedInstances.has(instance)) {
      const message = `create gave the same ${Class.name} to two calls: make one a call`;
      throw new ToolmendError('instance-reused', message);
    }
    if (binding.kind === 'class') this.#usedInstances.add(instance);
    return instance;
  }
}

export function methodOf(instance: object, name: string): (...parameters: unknown[]) => unknown {
  const method: unknown = Reflect.get(instance, name);
  if (isFunction(method)) return method;
  const message = `what create gave has no method ${name}: return an instance of the tool's class`;
  throw new ToolmendError('no-method', message);
}

const isFunction = (value: unknown): value is (...parameters: unknown[]) => unknown =>
  typeof value === 'function';
