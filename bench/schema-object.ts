// Which type has a schema that is handed to defineTool?
import type { ToolDefinition } from 'toolmend';

export type SchemaObject = ToolDefinition['inputSchema'];
