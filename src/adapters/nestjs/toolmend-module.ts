// How do the tools of a Nest application come into one registry? By this module, once, and by what other modules provide.
import {
  ConfigurableModuleBuilder,
  type DynamicModule,
  Inject,
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
import { ToolRegistry } from '../../registry/tool-registry.ts';
import type { ToolmendModuleOptions } from './module-options.ts';
import { NestTools } from './nest-tools.ts';
import { FunctionTools } from './tool-provider.ts';

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
  static forFeature(
    tools: readonly Type[],
    { imports = [] }: Pick<ModuleMetadata, 'imports'> = {},
  ): DynamicModule {
    return { module: ToolmendFeatureModule, imports, providers: [...tools], exports: [...tools] };
  }

  onModuleInit(): void {
    this.#tools.start();
  }
}
