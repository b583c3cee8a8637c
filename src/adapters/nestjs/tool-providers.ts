import type { Type } from '@nestjs/common';
import {
  type ContextIdFactory,
  type DiscoveryService,
  type ModulesContainer,
  ModuleRef,
  Reflector,
} from '@nestjs/core';
import { parameterCount } from '../../classes/check-class.ts';
import { type DeclaredClass, isClass, readDeclaredClass } from '../../classes/declarations.ts';
import { type DefinitionProblem, DefinitionError } from '../../errors/definition-error.ts';
import { ToolmendError } from '../../errors/errors.ts';
import type { Constructor, ToolContract } from '../../tool/tool-contract.ts';

type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

export type ContextId = ReturnType<typeof ContextIdFactory.create>;

/** A provider whose class is a tool or has tool methods. */
export interface ToolProvider {
  readonly Class: Type<object>;
  readonly wrapper: ProviderWrapper;
  /** Of the module that provides the class: only there Nest resolves its dependencies. */
  readonly moduleRef: ModuleRef;
  readonly moduleName: string;
  /**
   * A `@Tool` class gets a new instance for each call. Nest decides about the instances of a
   * provider of tool methods.
   */
  readonly kind: 'class' | 'methods' | 'none';
}

/**
 * The class that guards see for tools that aren't classes, such as those of `defineTool` and of
 * remote servers.
 */
export class FunctionTools {
  execute(): void {
    // Never called: the tool has its own function.
  }
}

export interface FoundTools {
  readonly providers: readonly ToolProvider[];
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Finds tools in all modules. The class of what a factory provides is unknown until the factory has
 * run.
 */
export function findToolProviders(discovery: DiscoveryService): FoundTools {
  const first = new Map<Type<object>, ToolProvider>();
  const problems: DefinitionProblem[] = discovery.getControllers().flatMap(controllerProblems);
  for (const provider of discovery.getProviders().flatMap(toolProvider)) {
    const { Class, moduleName } = provider;
    const other = first.get(Class);
    if (other === undefined) {
      first.set(Class, provider);
      problems.push(...providerProblems(provider));
      continue;
    }
    const what = `is provided by ${other.moduleName} and by ${moduleName}`;
    problems.push({
      where: Class.name,
      what,
      instead: 'provide it in one module, and export it there',
    });
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

/** The class of a provider, of its value, or the one that is its token. */
function classOf(wrapper: ProviderWrapper): Type<object> | undefined {
  const { metatype, token } = wrapper;
  if (!wrapper.isNotMetatype) return isToolClass(metatype) ? metatype : undefined;
  const instance: unknown = wrapper.instance;
  const Class: unknown =
    typeof instance === 'object' && instance !== null ? instance.constructor : token;
  return isToolClass(Class) ? Class : undefined;
}

const isToolClass = (value: unknown): value is Type<object> => isClass(value) && value !== Object;

/** Misplaced decorators count too, so that registration reports them. */
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
  const instead = 'move the tool to a provider that the controller calls';
  return [{ where: Class.name, what: 'is a controller and has a tool', instead }];
}

const reflector = new Reflector();

/** Nest injects undefined without an error for a parameter without a type. */
function injectionProblems(Class: Type<object>): readonly DefinitionProblem[] {
  const emittedTypes = reflector.get<unknown>('design:paramtypes', Class);
  if (Array.isArray(emittedTypes)) return [];
  const declaredTypes: unknown = reflector.get<unknown>('self:paramtypes', Class);
  const injectedClasses = new Set(
    Array.isArray(declaredTypes)
      ? declaredTypes.map((entry: { readonly index?: unknown }) => entry.index)
      : [],
  );
  const missingIndexes = Array.from({ length: parameterCount(Class) }, (_, index) => index).filter(
    (index) => !injectedClasses.has(index),
  );
  if (missingIndexes.length === 0) return [];
  const numbers = missingIndexes.map((index) => index + 1).join(', ');
  return [
    {
      where: Class.name,
      what: `has no types for its constructor, and parameter ${numbers} would be undefined`,
      instead:
        'compile with emitDecoratorMetadata and a decorator on the class, or write @Inject(Token)',
    },
  ];
}

export interface ToolHandler {
  readonly provider: ToolProvider;
  readonly method: string;
}

export class ToolProviders {
  readonly #byClass = new Map<Constructor, ToolProvider>();
  readonly #globalEnhancers: readonly ProviderWrapper[];

  /**
   * Throws a DefinitionError for transient global enhancers, which have no instance outside of a
   * provider.
   */
  constructor(modules: ModulesContainer) {
    const enhancers = [...modules.values()].flatMap(({ injectables }) =>
      [...injectables.values()].filter(isGlobalEnhancer),
    );
    const problems = enhancers.filter(({ isTransient }) => isTransient).map(transientProblem);
    if (problems.length > 0) throw new DefinitionError(problems);
    this.#globalEnhancers = enhancers;
  }

  add(provider: ToolProvider): void {
    this.#byClass.set(provider.Class, provider);
  }

  has(Class: Constructor): boolean {
    return this.#byClass.has(Class);
  }

  handlerOf({ binding }: Pick<ToolContract, 'binding'>): ToolHandler {
    if (binding.kind === 'class')
      return { provider: this.#of(binding.Class), method: binding.method };
    if (binding.kind === 'method')
      return { provider: this.#of(binding.Owner), method: binding.method };
    return { provider: this.#of(FunctionTools), method: 'execute' };
  }

  /** Creates the request-scoped dependencies of enhancers, which Nest does for controllers only. */
  async prepare({ moduleRef, wrapper }: ToolProvider, contextId: ContextId): Promise<void> {
    const load = ({ token }: ProviderWrapper, strict: boolean): Promise<unknown> =>
      moduleRef.resolve(token, contextId, { strict });
    await Promise.all(this.#globalEnhancers.map((enhancer) => load(enhancer, false)));
    if (!wrapper.isDependencyTreeStatic()) await load(wrapper, true);
  }

  /** A new instance of a tool class. For tool methods, the instance that Nest has for this call. */
  async instanceFor(Class: Constructor, contextId: ContextId): Promise<object> {
    const provider = this.#of(Class);
    const { moduleRef, wrapper } = provider;
    const instance: unknown =
      provider.kind === 'class'
        ? await moduleRef.create(provider.Class, contextId)
        : await moduleRef.resolve<unknown>(wrapper.token, contextId, { strict: true });
    if (typeof instance === 'object' && instance !== null) return instance;
    throw new ToolmendError(
      'no-instance',
      `the provider of ${Class.name} did not return an object`,
    );
  }

  #of(Class: Constructor): ToolProvider {
    const provider = this.#byClass.get(Class);
    if (provider !== undefined) return provider;
    const message = `${Class.name} is not a provider of any module, so its guards can't run: list it in providers, or in ToolmendModule.forFeature`;
    throw new ToolmendError('no-provider', message);
  }
}

/**
 * Nest's tokens for what was provided as APP_GUARD, APP_INTERCEPTOR, APP_PIPE or APP_FILTER with a
 * scope of its own.
 */
const isGlobalEnhancer = ({ token }: ProviderWrapper): boolean =>
  typeof token === 'string' && /^APP_(?:GUARD|INTERCEPTOR|PIPE|FILTER) \(UUID: /.test(token);

const transientProblem = ({ token }: ProviderWrapper): DefinitionProblem => ({
  where: String(token).split(' ')[0] ?? 'APP_GUARD',
  what: 'is transient, and would have no instance in tool calls',
  instead: 'give it the default scope, or Scope.REQUEST',
});
