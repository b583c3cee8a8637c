// Tools over the Model Context Protocol: a registry as a server, and another server's tools in a registry.
export type { ServeOptions } from './answer-request.ts';
export { serveTools } from './serve-tools.ts';
