// Tools over the Model Context Protocol: a registry as a server, and another server's tools in a registry.
export type { ServeOptions } from './answer-request.ts';
export type { LeftOutTool, ListedTool, ToolListChange } from './list-remote-tools.ts';
export { type RegisteredRemoteTools, registerRemoteTools } from './register-remote-tools.ts';
export type { ArgumentOverlay, FixedArgument, RemoteOptions, ToolOverlay } from './remote-options.ts';
export { serveTools } from './serve-tools.ts';
