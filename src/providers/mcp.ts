import { defined } from '../collections/objects.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { JsonObject } from '../json/value.ts';
import type { ToolIcon } from '../tool/provider-options.ts';
import type { Effects, ToolAnnotations } from '../tool/tool-contract.ts';
import { type Provider, nameRule } from './provider-rules.ts';

// https://modelcontextprotocol.io/specification
/** One entry of the response to `tools/list`. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: SchemaObject & { readonly type: 'object' };
  readonly outputSchema?: SchemaObject;
  readonly annotations?: McpAnnotations;
  readonly icons?: readonly ToolIcon[];
  readonly _meta?: JsonObject;
}

interface McpAnnotations extends ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
}

const annotations: Readonly<Record<Effects, McpAnnotations>> = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

export const mcp: Provider<McpTool> = {
  rules: { toolName: nameRule('A-Za-z0-9_.-', 128), schema: { kind: 'json-schema' } },
  toTool: ({
    name,
    description,
    schema,
    contract: { title, effects, execution, providerOptions },
  }) => ({
    name,
    ...defined({ title }),
    description,
    inputSchema: { ...schema, type: 'object' },
    ...defined({
      // A call that goes on in the background has no result at first, and clients refuse it if
      // there is a schema.
      outputSchema:
        (execution?.background ?? 'never') === 'never' ? execution?.outputSchema : undefined,
      annotations:
        effects === undefined && execution?.annotations === undefined
          ? undefined
          : { ...(effects && annotations[effects]), ...execution?.annotations },
    }),
    ...providerOptions?.mcp,
  }),
};
