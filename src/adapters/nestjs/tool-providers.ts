// Which provider runs a tool, and how is it made ready for a call? One instance a call for a tool class.
import type { ModulesContainer } from '@nestjs/core';
import type { Constructor, ToolContract } from '../../contract/tool-contract.ts';
import { type Complaint, DefinitionError } from '../../errors/definition-error.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { ContextId } from './call-scopes.ts';
import { FunctionTools, type ProviderWrapper, type ToolProvider } from './tool-provider.ts';

/** A provider, and which of its methods is the tool. */
export interface ToolHandler {
  readonly provider: ToolProvider;
  readonly method: string;
}

export class ToolProviders {
  readonly #byClass = new Map<Constructor, ToolProvider>();
  readonly #requestScoped: readonly ProviderWrapper[];

  /** Throws a DefinitionError for global enhancers that have no instance outside of one provider. */
  constructor(modules: ModulesContainer) {
    const global = [...modules.values()].flatMap(({ injectables }) =>
      [...injectables.values()].filter(isGlobal),
    );
    const complaints = global.filter(({ isTransient }) => isTransient).map(transientComplaint);
    if (complaints.length > 0) throw new DefinitionError(complaints);
    this.#requestScoped = global;
  }

  add(provider: ToolProvider): void {
    this.#byClass.set(provider.Class, provider);
  }

  has(Class: Constructor): boolean {
    return this.#byClass.has(Class);
  }

  handlerOf({ binding }: Pick<ToolContract, 'binding'>): ToolHandler {
    if (binding.kind === 'class') return { provider: this.#of(binding.Class), method: binding.method };
    if (binding.kind === 'method') return { provider: this.#of(binding.Owner), method: binding.method };
    return { provider: this.#of(FunctionTools), method: 'execute' };
  }

  /** Makes what this call's guards, interceptors, pipes and filters need: Nest makes request-scoped ones for controllers only. */
  async prepare({ moduleRef, wrapper }: ToolProvider, contextId: ContextId): Promise<void> {
    const load = ({ token }: ProviderWrapper, strict: boolean): Promise<unknown> =>
      moduleRef.resolve(token, contextId, { strict });
    await Promise.all(this.#requestScoped.map((enhancer) => load(enhancer, false)));
    if (!wrapper.isDependencyTreeStatic()) await load(wrapper, true);
  }

  /** A new instance of a tool class; of a provider with tool methods the one that Nest has for this call. */
  async instanceFor(Class: Constructor, contextId: ContextId): Promise<object> {
    const provider = this.#of(Class);
    const { moduleRef, wrapper } = provider;
    const instance: unknown =
      provider.kind === 'class'
        ? await moduleRef.create(provider.Class, contextId)
        : await moduleRef.resolve<unknown>(wrapper.token, contextId, { strict: true });
    if (typeof instance === 'object' && instance !== null) return instance;
    throw new ToolmendError('no-instance', `the provider of ${Class.name} gave no object`);
  }

  #of(Class: Constructor): ToolProvider {
    const provider = this.#byClass.get(Class);
    if (provider !== undefined) return provider;
    throw new ToolmendError(
      'no-provider',
      `${Class.name} is a provider of no module, so no guard stands before it: list it in providers, or in ToolmendModule.forFeature`,
    );
  }
}

// How Nest names what was provided as APP_GUARD and its like, in a scope of its own.
const isGlobal = ({ token }: ProviderWrapper): boolean =>
  typeof token === 'string' && /^APP_(?:GUARD|INTERCEPTOR|PIPE|FILTER) \(UUID: /.test(token);

const transientComplaint = ({ token }: ProviderWrapper): Complaint => ({
  where: String(token).split(' ')[0] ?? 'APP_GUARD',
  what: 'is transient, and would have no instance in tool calls',
  instead: 'give it the default scope, or Scope.REQUEST',
});
