import type { ToolDefinition } from 'toolmend';

export type SchemaObject = ToolDefinition['inputSchema'];
