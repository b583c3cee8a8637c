// What can an application say of its tools?
import type { ApplicationContext, ToolContract } from '../../contract/tool-contract.ts';
import type { RegistryOptions } from '../../registry/registry-options.ts';

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
