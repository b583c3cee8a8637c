// How is a registry served over the Model Context Protocol? Over stdio, to whoever starts this program.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ToolRegistry } from 'toolmend';
import { serveTools } from 'toolmend/mcp';
import { ReadFiles } from './read-files.ts';

const tools = new ToolRegistry().register(ReadFiles);

serveStdio(() => serveTools(new McpServer({ name: 'files', version: '1.0.0' }), tools));
