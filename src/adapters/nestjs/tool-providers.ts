import type { Type } from '@nestjs/common';
import { type DiscoveryService, ModuleRef, type ModulesContainer, Reflector } from '@nestjs/core';
import { parameterCount } from '../../classes/check-class.ts';
import { type DeclaredClass, readDeclaredClass } from '../../classes/declarations.ts';
import { type DefinitionProblem, DefinitionError, collectProblems } from '../../errors/definition-error.ts';
import { ToolmendError } from '../../errors/errors.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { Constructor, ToolContract } from '../../tool/tool-contract.ts';
import { type ContextId, declarePipedParameters } from './run-in-nest.ts';

/** What Nest knows of a provider. */
export type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** A provider whose class is a tool, or has methods that are. */
export interface ToolProvider {
  readonly Class: Type<object>;
  readonly wrapper: ProviderWrapper;
  /** Of the module that provides it: only that one sees what the class depends on. */
  readonly moduleRef: ModuleRef;
  readonly moduleName: string;
  /** A `@Tool` class gets a new instance for each call; the provider of tool methods is what Nest makes of it. */
  readonly kind: 'class' | 'methods' | 'none';
}

/** The class that guards see for a tool that `defineTool` made, or a remote server's. */
export class FunctionTools {
  /** The method that guards see; the tool's own function runs elsewhere. */
  execute(): void {
    // Never called: guards see the class and the method, and the tool has its own function.
  }
}

// Every provider of every module is looked at; aliases are their originals.
export interface FoundTools {
  readonly providers: readonly ToolProvider[];
  readonly problems: readonly DefinitionProblem[];
}

/** Those that can be known by now: what a factory makes for a token that is no class is known once it has been made. */
function findToolProviders(discovery: DiscoveryService): FoundTools {
  const providers = discovery.getProviders().flatMap(toolProvider);
  const first = new Map<Type<object>, ToolProvider>();
  const problems: DefinitionProblem[] = discovery.getControllers().flatMap(controllerProblems);
  for (const provider of providers) {
    const { Class, moduleName } = provider;
    const other = first.get(Class);
    if (other === undefined) {
      first.set(Class, provider);
      problems.push(...providerProblems(provider));
      continue;
    }
    const what = `is provided by ${other.moduleName} and by ${moduleName}`;
    problems.push({ where: Class.name, what, instead: 'provide it in one module, and export it there' });
  }
  return { providers: [...first.values()], problems };
}

function toolProvider(wrapper: ProviderWrapper): readonly ToolProvider[] {
  const { host } = wrapper;
  const Class = wrapper.isAlias ? undefined : classOf(wrapper);
  const kind = Class === undefined ? 'none' : kindOf(readDeclaredClass(Class));
  if (host === undefined || Class === undefined) return [];
  if (kind === 'none' && Class !== FunctionTools) return [];
  const moduleRef: unknown = host.getProviderByKey(ModuleRef).instance;
  if (!(moduleRef instanceof ModuleRef)) return [];
  return [{ Class, wrapper, moduleRef, moduleName: host.name, kind }];
}

/** The class of what a provider gives: its own, or that of its value, or the one that it is provided as. */
function classOf(wrapper: ProviderWrapper): Type<object> | undefined {
  const { metatype, token } = wrapper;
  if (!wrapper.isNotMetatype) return isClass(metatype) ? metatype : undefined;
  const instance: unknown = wrapper.instance;
  const Class: unknown = typeof instance === 'object' && instance !== null ? instance.constructor : token;
  return isClass(Class) ? Class : undefined;
}

const isClass = (value: unknown): value is Type<object> =>
  typeof value === 'function' && Object.hasOwn(value, 'prototype') && value !== Object;

/** What stands in the wrong place counts too: whoever reads the class reports it. */
function kindOf({ tools, toolMethods, wrong }: DeclaredClass): ToolProvider['kind'] {
  if (tools.length > 0) return 'class';
  return toolMethods.length > 0 || wrong.length > 0 ? 'methods' : 'none';
}

function providerProblems({ Class, wrapper, kind }: ToolProvider): readonly DefinitionProblem[] {
  if (!wrapper.isNotMetatype) return injectionProblems(Class);
  if (kind !== 'class') return [];
  return [
    {
      where: Class.name,
      what: 'is a @Tool, which gets a new instance for each call, and is provided as a value or by a factory',
      instead: 'list the class itself in providers, or write @ToolMethod on a method of a service',
    },
  ];
}

function controllerProblems(wrapper: ProviderWrapper): readonly DefinitionProblem[] {
  const Class = classOf(wrapper);
  if (Class === undefined || kindOf(readDeclaredClass(Class)) === 'none') return [];
  return [
    {
      where: Class.name,
      what: 'is a controller and has a tool',
      instead: 'move the tool to a provider that the controller calls',
    },
  ];
}

const reflector = new Reflector();

/**
 * Nest injects undefined in silence for a parameter of which it knows nothing; what it reports itself is left to it.
 */
function injectionProblems(Class: Type<object>): readonly DefinitionProblem[] {
  const emitted = reflector.get<unknown>('design:paramtypes', Class);
  if (Array.isArray(emitted)) return [];
  const named = indexesOf(reflector.get<unknown>('self:paramtypes', Class));
  const missing = Array.from({ length: parameterCount(Class) }, (_, index) => index).filter(
    (index) => !named.has(index),
  );
  if (missing.length === 0) return [];
  const which = missing.map((index) => index + 1).join(', ');
  return [
    {
      where: Class.name,
      what: `has no types for its constructor, and parameter ${which} would be undefined`,
      instead: 'compile with emitDecoratorMetadata and a decorator on the class, or write @Inject(Token)',
    },
  ];
}

const indexesOf = (declared: unknown): ReadonlySet<unknown> =>
  new Set(Array.isArray(declared) ? declared.map((entry: { readonly index?: unknown }) => entry.index) : []);

// One instance a call for a tool class.
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
    const problems = global.filter(({ isTransient }) => isTransient).map(transientProblem);
    if (problems.length > 0) throw new DefinitionError(problems);
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

const transientProblem = ({ token }: ProviderWrapper): DefinitionProblem => ({
  where: String(token).split(' ')[0] ?? 'APP_GUARD',
  what: 'is transient, and would have no instance in tool calls',
  instead: 'give it the default scope, or Scope.REQUEST',
});

// Those of its providers, as soon as they can be known, and told at once.
export class RegisteredTools {
  readonly #registry: ToolRegistry;
  readonly #providers: ToolProviders;
  readonly #discovery: DiscoveryService;

  constructor(registry: ToolRegistry, providers: ToolProviders, discovery: DiscoveryService) {
    this.#registry = registry;
    this.#providers = providers;
    this.#discovery = discovery;
  }

  /** Adds the tools that are new. Throws a DefinitionError with every problem about any of them. */
  add(): void {
    const { providers, problems: found } = findToolProviders(this.#discovery);
    const added = providers.filter(({ Class }) => !this.#providers.has(Class));
    const tools = added.filter(({ kind }) => kind !== 'none');
    const problems: DefinitionProblem[] = [...found];
    collectProblems(() => this.#registry.register(...tools.map(({ Class }) => Class)), problems);
    if (problems.length > 0) throw new DefinitionError(problems);
    for (const provider of added) this.#put(provider);
  }

  #put(provider: ToolProvider): void {
    declarePipedParameters(provider);
    this.#providers.add(provider);
  }
}
