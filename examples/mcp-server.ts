// Serves a registry over the Model Context Protocol on stdio.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ToolRegistry } from 'toolmend';
import { serveTools } from 'toolmend/mcp';
import { ReadFiles } from './read-files.ts';

const tools = new ToolRegistry().register(ReadFiles);

serveStdio(() => serveTools(new McpServer({ name: 'files', version: '1.0.0' }), tools));
