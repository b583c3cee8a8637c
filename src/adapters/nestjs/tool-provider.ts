// Which provider of which module has a tool?
import type { Type } from '@nestjs/common';
import type { DiscoveryService, ModuleRef } from '@nestjs/core';

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
