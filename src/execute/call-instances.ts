// Which object runs a call? One that the application makes for it, and that has run no other.
import type { ApplicationContext, Constructor } from '../contract/tool-contract.ts';
import { ToolmendError } from '../errors/toolmend-error.ts';
import type { ToolCall } from '../interpret/tool-call.ts';

/** Makes the instance for one call: a dependency injection container, or `new Class(…)`. */
export type CreateInstance = (
  Class: Constructor,
  call: ToolCall,
  values: ApplicationContext,
) => object | Promise<object>;

const construct: CreateInstance = (Class) => new Class();

/** The instances of one registry. A tool class's fields are the arguments, so two calls must never share one. */
export class CallInstances {
  readonly #create: CreateInstance;
  readonly #used = new WeakSet();

  constructor(create: CreateInstance = construct) {
    this.#create = create;
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
