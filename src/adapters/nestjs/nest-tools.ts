// What is made once for each application? Its registry, and everything by which the registry's calls go through Nest.
import type { DiscoveryService, ExternalContextCreator, ModuleRef, ModulesContainer } from '@nestjs/core';
import { checkTimes } from '../../errors/milliseconds.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import { CallScopes } from './call-scopes.ts';
import { EnhancerChain } from './enhancer-chain.ts';
import { guardCalls, invokeInNest, type NestCalls } from './nest-calls.ts';
import type { ToolmendModuleOptions } from './module-options.ts';
import { NestLog } from './nest-log.ts';
import { RegisteredTools } from './registered-tools.ts';
import { ToolProviders } from './tool-providers.ts';

/** What of Nest itself is needed. */
export interface NestParts {
  readonly modules: ModulesContainer;
  readonly moduleRef: ModuleRef;
  readonly discovery: DiscoveryService;
  readonly creator: ExternalContextCreator;
}

export class NestTools {
  readonly registry: ToolRegistry;
  readonly #registered: RegisteredTools;
  readonly #log = new NestLog();

  /** Throws a DefinitionError with every complaint about the tools that can be known by now. */
  constructor(options: ToolmendModuleOptions, { modules, moduleRef, discovery, creator }: NestParts) {
    const { tools = [], request, closeTimeLimit, ...registryOptions } = options;
    checkTimes('ToolmendModule', { closeTimeLimit }, 'allowed');
    const providers = new ToolProviders(modules);
    const chain = new EnhancerChain(creator);
    const calls: NestCalls = { providers, chain, scopes: new CallScopes(moduleRef, request) };
    this.registry = new ToolRegistry({
      ...registryOptions,
      listeners: [this.#log, ...(options.listeners ?? [])],
      interceptors: [...(options.interceptors ?? []), guardCalls(calls)],
      create: (Class, _call, values) => providers.instanceFor(Class, calls.scopes.of(values).contextId),
      invoke: invokeInNest(calls),
    }).register(...tools);
    this.#registered = new RegisteredTools(this.registry, providers, discovery);
    this.#registered.add();
    const limit = closeTimeLimit === undefined ? {} : { timeLimit: closeTimeLimit };
    closeFirst(modules, () => this.registry.close(limit));
  }

  /** Adds the tools of what factories have made meanwhile. Throws as the constructor does. */
  start(): void {
    this.#registered.add();
    this.#log.tellTools(this.registry.names());
  }
}

/**
 * Nest destroys the root module first, and in it the highest level of its hierarchy first; a provider that is added there
 * is asked before all others, and is waited for.
 */
function closeFirst(modules: ModulesContainer, close: () => Promise<void>): void {
  const root = [...modules.values()].reduce((nearest, module) =>
    module.distance <= nearest.distance ? module : nearest,
  );
  const token = Symbol('toolmend.close');
  root.addProvider({ provide: token, useValue: { onModuleDestroy: close } });
  root.getProviderByKey(token).hierarchyLevel = Number.MAX_SAFE_INTEGER;
}
