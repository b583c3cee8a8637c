// Tools over the Model Context Protocol: a registry as a server, and another server's tools in a registry.
export type { ServeOptions } from './serve-tools.ts';
export type { LeftOutTool, ListedTool, ToolListChange } from './remote-tools.ts';
export { type RegisteredRemoteTools, registerRemoteTools } from './remote-tools.ts';
export type { ArgumentOverlay, FixedArgument, RemoteOptions, ToolOverlay } from './remote-options.ts';
export { serveTools } from './serve-tools.ts';
