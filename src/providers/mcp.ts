import { defined } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { Effects } from '../tool/tool-contract.ts';
import { type Provider, nameRule } from './provider-rules.ts';

// https://modelcontextprotocol.io/specification
/** One entry of the response to `tools/list`. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: SchemaObject & { readonly type: 'object' };
  readonly outputSchema?: SchemaObject;
  readonly annotations?: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean };
}

const annotations: Readonly<Record<Effects, NonNullable<McpTool['annotations']>>> = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

export const mcp: Provider<McpTool> = {
  rules: {
    toolName: nameRule('A-Za-z0-9_.-', 128),
    schema: { kind: 'json-schema' },
  },
  toTool: ({ name, description, schema, contract: { title, effects, execution, meta } }) => ({
    name,
    ...defined({ title }),
    description,
    inputSchema: { ...schema, type: 'object' },
    ...defined({
      // A result that is read in pages isn't an object, so it has no schema.
      outputSchema: meta.some((argument) => argument.name === 'continuation')
        ? undefined
        : execution?.outputSchema,
      annotations: effects && annotations[effects],
    }),
  }),
};
