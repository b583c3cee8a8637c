// For tests of applications.
import type { ToolOutcome } from '../../outcomes/tool-outcome.ts';
import type { CallOptions } from '../../run/call-options.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';

/** What `Test.createTestingModule(…)` returns, with or without overrides. */
export interface TestedModuleBuilder<Tested extends TestedModule> {
  compile(): Promise<Tested>;
}

interface TestedModule {
  init(): Promise<unknown>;
  close(): Promise<void>;
  get(token: typeof ToolRegistry, options: { readonly strict: false }): ToolRegistry;
}

/** What `compileTools` returns. */
export interface TestedTools<Tested extends TestedModule> {
  readonly tools: ToolRegistry;
  readonly module: Tested;
  /** Calls a tool. `sentArguments`: text, as models send it, or a value. */
  call(name: string, sentArguments: unknown, options?: CallOptions): Promise<ToolOutcome>;
  /** Closes the application. */
  close(): Promise<void>;
}

/** Compiles and starts a testing module that imports `ToolmendModule`. */
export async function compileTools<Tested extends TestedModule>(
  builder: TestedModuleBuilder<Tested>,
): Promise<TestedTools<Tested>> {
  const module = await builder.compile();
  await module.init();
  const tools = module.get(ToolRegistry, { strict: false });
  let calls = 0;
  return {
    tools,
    module,
    call(name, sentArguments, options) {
      calls += 1;
      return tools.call(
        { id: `call_${calls}`, name, arguments: sentArguments, finishReason: 'tool_calls' },
        options,
      );
    },
    close: () => module.close(),
  };
}
