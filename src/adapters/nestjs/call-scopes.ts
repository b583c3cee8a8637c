// Which request does a tool call belong to, to Nest's injector? Remembered by the values that are made for each call.
import { ContextIdFactory, type ModuleRef } from '@nestjs/core';
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { InterceptedCall } from '../../registry/intercept/interceptor.ts';
import type { ToolmendModuleOptions } from './module-options.ts';
import { executionOf, type ToolExecution } from './tool-execution.ts';

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
