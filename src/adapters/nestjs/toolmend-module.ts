import {
  ConfigurableModuleBuilder,
  type DynamicModule,
  Inject,
  Logger,
  Module,
  type ModuleMetadata,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import {
  DiscoveryModule,
  DiscoveryService,
  ExternalContextCreator,
  ModuleRef,
  ModulesContainer,
} from '@nestjs/core';
import {
  type OptionKinds,
  any,
  anyObject,
  callback,
  checkOptions,
  list,
  millisecondsOrZero,
} from '../../errors/check-options.ts';
import { type RegistryOptions, registryOptionKinds } from '../../registry/registry-options.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import type { SchemaWarning, ToolError, ToolEvent, ToolListener } from '../../telemetry/tool-event.ts';
import type { ApplicationContext, ToolContract } from '../../tool/tool-contract.ts';
import { CallScopes, EnhancerChain, type NestCalls, guardCalls, invokeInNest } from './run-in-nest.ts';
import { FunctionTools, RegisteredTools, ToolProviders } from './tool-providers.ts';

/** A registry's options, without those that are Nest's business. */
export interface ToolmendModuleOptions extends Omit<RegistryOptions, 'create' | 'invoke'> {
  /** Tools that are no classes: what `defineTool` made, or a remote server's. */
  readonly tools?: readonly ToolContract[];
  /**
   * The request that a call belongs to, found in the call's context values: calls of one request share its request-scoped
   * providers, and `@Inject(REQUEST)` is that request. Default: each call is a request of its own, and `REQUEST` is its
   * context values.
   */
  readonly request?: (values: ApplicationContext) => object | undefined;
  /** Milliseconds that running calls get to end by themselves when the application closes. Default: 10 seconds. */
  readonly closeTimeLimit?: number;
}

const { create: _create, invoke: _invoke, ...sharedKinds } = registryOptionKinds;

const moduleOptionKinds: OptionKinds<ToolmendModuleOptions> = {
  ...sharedKinds,
  tools: list(anyObject('write what defineTool returned, or add a class to the providers of a module')),
  request: callback('write a function that returns the request, (values) => …'),
  closeTimeLimit: millisecondsOrZero,
};

// Names, ids and exceptions; never a value of an argument or a result.
/** A listener that writes to Nest's logger, whichever the application has given it. */
class NestLog implements ToolListener {
  readonly #logger = new Logger('Toolmend');

  /** Once, when the application starts. */
  tellTools(names: readonly string[]): void {
    const tools = names.length === 1 ? '1 tool' : `${names.length} tools`;
    this.#logger.log(`${tools}: ${names.join(', ')}`);
  }

  onError({ tool, callId, errorId, error }: ToolError): void {
    const id = errorId === undefined ? '' : `, error ${errorId}`;
    this.#logger.error(
      `${tool} threw (call ${JSON.stringify(callId)}${id})`,
      error instanceof Error ? error.stack : error,
    );
  }

  onWarning({ message }: SchemaWarning): void {
    this.#logger.warn(message);
  }

  onEvent(event: ToolEvent): void {
    if (event.type === 'tool_definition_changed') {
      const { tool, blocked } = event;
      this.#logger.warn(`${tool} has another definition now${blocked ? ', and its calls are rejected' : ''}`);
      return;
    }
    this.#logger.debug(
      `${event.tool ?? 'an unknown tool'}: ${sentenceOf(event)} (call ${JSON.stringify(event.callId)})`,
    );
  }
}

function sentenceOf(event: Exclude<ToolEvent, { readonly type: 'tool_definition_changed' }>): string {
  switch (event.type) {
    case 'tool_executed':
      return `${event.status} after ${Math.round(event.duration)} ms`;
    case 'tool_input_repaired':
      return `repaired by ${event.repairs.map(({ rule, path }) => `${rule} ${path}`.trim()).join(', ')}`;
    case 'tool_input_invalid':
      return `rejected for ${event.issues.map(({ keyword, path }) => `${keyword} ${path}`.trim()).join(', ')}`;
    case 'tool_withheld':
      return event.reason === 'before'
        ? `${event.status} before it ran`
        : `${event.status} by ${event.reason}`;
    case 'tool_call_refused':
      return `refused as ${event.reason}`;
    case 'tool_ended_late':
      return `its code ended late, and its ${event.dropped} was dropped`;
    default:
      return 'read on in a long result';
  }
}

// Its registry, and everything by which the registry's calls go through Nest.
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

  /** Throws a DefinitionError with every problem about the tools that can be known by now. */
  constructor(options: ToolmendModuleOptions, { modules, moduleRef, discovery, creator }: NestParts) {
    checkOptions('ToolmendModule', options, moduleOptionKinds);
    const { tools = [], request, closeTimeLimit, ...registryOptions } = options;
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
    const limit = closeTimeLimit === undefined ? {} : { timeoutMs: closeTimeLimit };
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

// By this module, once, and by what other modules provide.
const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<ToolmendModuleOptions>({
    moduleName: 'Toolmend',
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createToolmendOptions')
    .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();

/** Classes of tools that a module brings along. */
@Module({})
class ToolmendFeatureModule {}

/**
 * `forRoot(options)` or `forRootAsync({ imports, inject, useFactory })` once, in the root module. Every provider of the
 * application that is a `@Tool` class or has a `@ToolMethod` is then a tool of the `ToolRegistry`, which any provider can
 * inject. Mistakes in tools end the start of the application, all of them in one DefinitionError.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    FunctionTools,
    {
      provide: NestTools,
      inject: [MODULE_OPTIONS_TOKEN, ModulesContainer, ModuleRef, DiscoveryService, ExternalContextCreator],
      useFactory: (
        options: ToolmendModuleOptions,
        modules: ModulesContainer,
        moduleRef: ModuleRef,
        ...[discovery, creator]: [DiscoveryService, ExternalContextCreator]
      ) => new NestTools(options, { modules, moduleRef, discovery, creator }),
    },
    { provide: ToolRegistry, inject: [NestTools], useFactory: ({ registry }: NestTools) => registry },
  ],
  exports: [ToolRegistry],
})
export class ToolmendModule extends ConfigurableModuleClass implements OnModuleInit {
  readonly #tools: NestTools;

  constructor(@Inject(NestTools) tools: NestTools) {
    super();
    this.#tools = tools;
  }

  /**
   * Provides tools where no module of the application's own lists them, and exports them. What they depend on comes from
   * `imports`. A module that has their dependencies anyway lists them in its own `providers` instead.
   */
  static forFeature(tools: readonly Type[], options: Pick<ModuleMetadata, 'imports'> = {}): DynamicModule {
    checkOptions('ToolmendModule.forFeature', options, { imports: list(any) });
    const { imports = [] } = options;
    return { module: ToolmendFeatureModule, imports, providers: [...tools], exports: [...tools] };
  }

  onModuleInit(): void {
    this.#tools.start();
  }
}
