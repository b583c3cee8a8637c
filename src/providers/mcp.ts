import type { SchemaObject } from '../schema/json-schema.ts';
import type { Effects, ToolContract } from '../tool/tool-contract.ts';
import { providerOf } from './transform-schema.ts';

// https://modelcontextprotocol.io/specification
/** One entry of the answer to `tools/list`. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: SchemaObject & { readonly type: 'object' };
  readonly outputSchema?: SchemaObject;
  readonly annotations?: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean };
}

const annotationsOf: Readonly<Record<Effects, NonNullable<McpTool['annotations']>>> = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

export const mcp = providerOf(
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
  ({ name, description, schema, contract }): McpTool => {
    const { title, effects } = contract;
    const outputSchema = outputSchemaOf(contract);
    return {
      name,
      ...(title === undefined ? {} : { title }),
      description,
      inputSchema: { ...schema, type: 'object' },
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(effects === undefined ? {} : { annotations: annotationsOf[effects] }),
    };
  },
);

/** A result that is read in parts is no object any more: then nothing is promised. */
const outputSchemaOf = ({ execution, meta }: ToolContract): SchemaObject | undefined =>
  meta.some(({ name }) => name === 'continuation') ? undefined : execution?.outputSchema;
