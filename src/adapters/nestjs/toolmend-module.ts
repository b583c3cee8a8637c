import {
  type DynamicModule,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleInit,
  type Type,
  ConfigurableModuleBuilder,
  Inject,
  Logger,
  Module,
} from '@nestjs/common';
import {
  DiscoveryModule,
  DiscoveryService,
  ExternalContextCreator,
  ModulesContainer,
  ModuleRef,
} from '@nestjs/core';
import {
  type OptionKinds,
  any,
  anyObject,
  callback,
  checkOptions,
  either,
  list,
  millisecondsOrZero,
  oneOfWords,
} from '../../options/check-options.ts';
import {
  type DefinitionProblem,
  collectProblems,
  DefinitionError,
} from '../../errors/definition-error.ts';
import { defined } from '../../collections/objects.ts';
import type { RegularResumeOptions } from '../../background/resume.ts';
import type { WorkerOptions } from '../../background/worker.ts';
import { type RegistryOptions, registryOptionKinds } from '../../registry/registry-options.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import type {
  SchemaWarning,
  ToolError,
  ToolEvent,
  ToolListener,
} from '../../telemetry/tool-event.ts';
import type { ApplicationContext, ToolContract } from '../../tool/tool-contract.ts';
import {
  type NestCalls,
  declarePipedParameters,
  guardCalls,
  invokeInNest,
  CallScopes,
} from './run-in-nest.ts';
import { findToolProviders, FunctionTools, ToolProviders } from './tool-providers.ts';
import {
  PageSource,
  type ToolmendPageOptions,
  pageController,
  pageOptionKinds,
} from './page-controller.ts';
import { ToolmendHealth } from './toolmend-health.ts';

/** The options of a registry, without those that Nest sets. */
export interface ToolmendModuleOptions extends Omit<RegistryOptions, 'create' | 'invoke'> {
  /** Tools that aren't classes: what `defineTool` returned, or the tools of a remote server. */
  readonly tools?: readonly ToolContract[];
  /**
   * Finds the request that a call belongs to in its context values. The calls of one request share
   * its request-scoped providers, and `@Inject(REQUEST)` is that request. Default: each call is a
   * request of its own, and `REQUEST` is its context values.
   */
  readonly request?: (values: ApplicationContext) => object | undefined;
  /** Milliseconds that running calls get to end when the application closes. Default: 10,000. */
  readonly closeTimeoutMs?: number;
  /**
   * Makes the application a worker for queued background calls: `{}`, or the options of
   * `startWorker`. Default: the application is no worker.
   */
  readonly worker?: WorkerOptions;
  /**
   * How the application takes over calls of processes that have died, if it has a `journal`: the
   * options of `resumeRegularly`. A `worker` takes over calls with its own options. Default: every
   * 15 seconds, with the registry's context values.
   */
  readonly resume?: RegularResumeOptions | 'off';
}

const { create: _create, invoke: _invoke, ...registryKinds } = registryOptionKinds;

const moduleOptionKinds: OptionKinds<ToolmendModuleOptions> = {
  ...registryKinds,
  tools: list(
    anyObject('write what defineTool returned, or add a class to the providers of a module'),
  ),
  request: callback('write a function that returns the request, (values) => …'),
  closeTimeoutMs: millisecondsOrZero,
  // Checked by `startWorker`.
  worker: anyObject('write {} to work, or { concurrency }'),
  resume: either(
    "write 'off', or { context, everyMs }",
    oneOfWords('off'),
    anyObject('write { context } or { everyMs }'),
  ),
};

/**
 * Writes to the logger of the application: names, ids and exceptions, but no value of an argument
 * or a result.
 */
class NestLog implements ToolListener {
  readonly #logger = new Logger('Toolmend');

  onStart(names: readonly string[]): void {
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
      const effect = event.blocked ? ', and its calls are rejected' : '';
      this.#logger.warn(`the definition of ${event.tool} has changed${effect}`);
      return;
    }
    if (event.type === 'tool_run_ended') {
      const { run = '', calls, repaired, rejected, duration } = event;
      this.#logger.debug(
        `run ${JSON.stringify(run)}: ${calls} calls, ${repaired} repaired, ${rejected} rejected in ${Math.round(duration)} ms`,
      );
      return;
    }
    const { tool = 'an unknown tool', callId } = event;
    this.#logger.debug(`${tool}: ${sentenceOf(event)} (call ${JSON.stringify(callId)})`);
  }
}

function sentenceOf(
  event: Exclude<ToolEvent, { readonly type: 'tool_definition_changed' | 'tool_run_ended' }>,
): string {
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
    case 'tool_question_asked':
      return `waits for an answer: ${event.reason}`;
    case 'tool_call_refused':
      return `not run because of a limit: ${event.reason}`;
    case 'tool_call_interpreted':
      return `interpreted as ${event.input}`;
    default:
      return `its code ended late, and its ${event.dropped} was dropped`;
  }
}

type NestParts = readonly [ModulesContainer, ModuleRef, DiscoveryService, ExternalContextCreator];

class NestTools {
  readonly registry: ToolRegistry;
  readonly health: ToolmendHealth;
  readonly #worker: WorkerOptions | undefined;
  readonly #resume: RegularResumeOptions | 'off';
  readonly #providers: ToolProviders;
  readonly #discovery: DiscoveryService;
  readonly #log = new NestLog();

  /** Throws a DefinitionError with every problem of the tools that are known by now. */
  constructor(
    options: ToolmendModuleOptions,
    ...[modules, moduleRef, discovery, creator]: NestParts
  ) {
    checkOptions('ToolmendModule', options, moduleOptionKinds);
    const { tools = [], request, closeTimeoutMs, worker, resume, ...registryOptions } = options;
    const providers = new ToolProviders(modules);
    const calls: NestCalls = {
      providers,
      creator,
      scopes: new CallScopes(moduleRef, request),
    };
    this.registry = new ToolRegistry({
      ...registryOptions,
      listeners: [this.#log, ...(options.listeners ?? [])],
      interceptors: [...(options.interceptors ?? []), guardCalls(calls)],
      create: (Class, _call, values) =>
        providers.instanceFor(Class, calls.scopes.of(values).contextId),
      invoke: invokeInNest(calls),
    }).register(...tools);
    this.#providers = providers;
    this.#discovery = discovery;
    this.#registerProviders();
    this.#worker = worker;
    this.#resume = resume ?? (options.journal === undefined ? 'off' : {});
    this.health = new ToolmendHealth(this.registry, options.journal);
    closeFirst(modules, async () => {
      await this.registry.close(defined({ timeoutMs: closeTimeoutMs }));
      await options.background?.queue?.close();
      await options.journal?.close();
    });
  }

  /**
   * Starts the worker, or takes over the calls of processes that have died, when all tools are
   * registered.
   */
  async work(): Promise<void> {
    if (this.#worker !== undefined) await this.registry.startWorker(this.#worker);
    else if (this.#resume !== 'off') this.registry.resumeRegularly(this.#resume);
  }

  /** Adds the tools that factories have provided since. Throws as the constructor does. */
  start(): void {
    this.#registerProviders();
    this.#log.onStart(this.registry.names());
  }

  #registerProviders(): void {
    const { providers, problems: providerProblems } = findToolProviders(this.#discovery);
    const newProviders = providers.filter(({ Class }) => !this.#providers.has(Class));
    const tools = newProviders.filter(({ kind }) => kind !== 'none');
    const problems: DefinitionProblem[] = [...providerProblems];
    collectProblems(() => this.registry.register(...tools.map(({ Class }) => Class)), problems);
    if (problems.length > 0) throw new DefinitionError(problems);
    for (const provider of newProviders) {
      declarePipedParameters(provider);
      this.#providers.add(provider);
    }
  }
}

@Module({})
class NearestModule {}

@Module({})
class FarthestModule {}

/**
 * Closes the registry before any provider is destroyed. Nest destroys modules by their distance,
 * and waits for each: from version 11 on the nearest first, before that the farthest.
 */
function closeFirst(modules: ModulesContainer, close: () => Promise<void>): void {
  let closing: Promise<void> | undefined;
  const onModuleDestroy = (): Promise<void> => (closing ??= close());
  for (const module of modules.values()) {
    if (module.metatype === NearestModule) module.distance = -1;
    else if (module.metatype === FarthestModule) module.distance = Number.POSITIVE_INFINITY;
    else continue;
    module.addProvider({ provide: Symbol('toolmend.close'), useValue: { onModuleDestroy } });
  }
}

interface ModuleExtras {
  /** Whether other modules need no import to inject the registry. Default: true. */
  readonly isGlobal?: boolean;
  /** Shows the calls of the `journal` in a browser. Default: no page. */
  readonly page?: ToolmendPageOptions | undefined;
}

function partsOfPage(
  page: ToolmendPageOptions,
  { providers = [] }: DynamicModule,
): Pick<DynamicModule, 'controllers' | 'providers'> {
  checkOptions('ToolmendModule.page', page, pageOptionKinds);
  const source = {
    provide: PageSource,
    inject: [MODULE_OPTIONS_TOKEN, ToolRegistry],
    useFactory: ({ journal, resume }: ToolmendModuleOptions, tools: ToolRegistry) =>
      new PageSource(journal, tools, typeof resume === 'object' ? resume.context : undefined),
  };
  return { controllers: [pageController(page)], providers: [...providers, source] };
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<ToolmendModuleOptions>({
    moduleName: 'Toolmend',
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createToolmendOptions')
    .setExtras<ModuleExtras>(
      { isGlobal: true, page: undefined },
      (definition, { isGlobal = true, page }) => ({
        ...definition,
        global: isGlobal,
        ...(page === undefined ? {} : partsOfPage(page, definition)),
      }),
    )
    .build();

@Module({})
class ToolmendFeatureModule {}

/**
 * Import `forRoot(options)` or `forRootAsync({ imports, inject, useFactory })` once, in the root
 * module. Every provider of the application that is a `@Tool` class or has a `@ToolMethod` becomes
 * a tool of the `ToolRegistry`, which any provider can inject. If tools have problems, the
 * application doesn't start, and one DefinitionError lists them all.
 */
@Module({
  imports: [DiscoveryModule, NearestModule, FarthestModule],
  providers: [
    FunctionTools,
    {
      provide: NestTools,
      inject: [
        MODULE_OPTIONS_TOKEN,
        ModulesContainer,
        ModuleRef,
        DiscoveryService,
        ExternalContextCreator,
      ],
      useFactory: (options: ToolmendModuleOptions, ...parts: NestParts) =>
        new NestTools(options, ...parts),
    },
    {
      provide: ToolRegistry,
      inject: [NestTools],
      useFactory: ({ registry }: NestTools) => registry,
    },
    { provide: ToolmendHealth, inject: [NestTools], useFactory: ({ health }: NestTools) => health },
  ],
  exports: [ToolRegistry, ToolmendHealth],
})
export class ToolmendModule
  extends ConfigurableModuleClass
  implements OnModuleInit, OnApplicationBootstrap
{
  readonly #tools: NestTools;

  constructor(@Inject(NestTools) tools: NestTools) {
    super();
    this.#tools = tools;
  }

  static override forRoot(
    options: Parameters<typeof ConfigurableModuleClass.forRoot>[0] = {},
  ): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Provides and exports tools that no other module provides. Their dependencies come from
   * `imports`. A module that has these dependencies can list the tools in its own `providers`
   * instead.
   */
  static forFeature(
    tools: readonly Type[],
    options: Pick<ModuleMetadata, 'imports'> = {},
  ): DynamicModule {
    checkOptions('ToolmendModule.forFeature', options, { imports: list(any) });
    const { imports = [] } = options;
    return { module: ToolmendFeatureModule, imports, providers: [...tools], exports: [...tools] };
  }

  onModuleInit(): void {
    this.#tools.start();
  }

  onApplicationBootstrap(): Promise<void> {
    return this.#tools.work();
  }
}
