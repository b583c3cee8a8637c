// Which tools are in the registry of an application? Those of its providers, as soon as they can be known, and told at once.
import type { DiscoveryService } from '@nestjs/core';
import { type Complaint, DefinitionError } from '../../errors/definition-error.ts';
import { collectComplaints } from '../../registry/registration/collect-complaints.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import { findToolProviders } from './find-tool-providers.ts';
import { declarePipedParameters } from './piped-parameter.ts';
import type { ToolProvider } from './tool-provider.ts';
import type { ToolProviders } from './tool-providers.ts';

export class RegisteredTools {
  readonly #registry: ToolRegistry;
  readonly #providers: ToolProviders;
  readonly #discovery: DiscoveryService;

  constructor(registry: ToolRegistry, providers: ToolProviders, discovery: DiscoveryService) {
    this.#registry = registry;
    this.#providers = providers;
    this.#discovery = discovery;
  }

  /** Adds the tools that are new. Throws a DefinitionError with every complaint about any of them. */
  add(): void {
    const { providers, complaints: found } = findToolProviders(this.#discovery);
    const added = providers.filter(({ Class }) => !this.#providers.has(Class));
    const tools = added.filter(({ kind }) => kind !== 'none');
    const complaints: Complaint[] = [...found];
    collectComplaints(() => this.#registry.register(...tools.map(({ Class }) => Class)), complaints);
    if (complaints.length > 0) throw new DefinitionError(complaints);
    for (const provider of added) this.#put(provider);
  }

  #put(provider: ToolProvider): void {
    declarePipedParameters(provider);
    this.#providers.add(provider);
  }
}
