// How does a Model Context Protocol server list a tool? https://modelcontextprotocol.io/specification
import type { Effects } from '../../contract/tool-contract.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { dialectForm } from '../dialect-form.ts';

/** One entry of the answer to `tools/list`. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
  readonly annotations?: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean };
}

const annotationsOf: Readonly<Record<Effects, NonNullable<McpTool['annotations']>>> = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

export const mcp = dialectForm(
  {
    toolName: { accepts: /^[A-Za-z0-9_.-]+$/, forbidden: /[^A-Za-z0-9_.-]/g, longest: 128 },
    schema: {
      keeps: () => true,
      root: 'any',
      objects: 'declared',
      optional: 'absent',
      references: 'kept',
      types: 'lists',
      members: 'any',
      anything: 'kept',
      untypedItems: 'kept',
    },
    limits: {},
  },
  ({ name, description, schema, contract: { title, effects } }): McpTool => ({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: schema,
    ...(effects === undefined ? {} : { annotations: annotationsOf[effects] }),
  }),
);
