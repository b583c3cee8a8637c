// A server over stdio.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serveTools } from '../../../src/adapters/mcp/index.ts';
import { sampleTools } from './sample-tools.ts';

const tools = sampleTools();
serveStdio(() => serveTools(new McpServer({ name: 'samples', version: '1.0.0' }), tools));
