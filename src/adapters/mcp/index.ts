// MCP: serve a registry's tools, or register the tools of another server.
export type { FirstSdkClient, FirstSdkRequest, FirstSdkServer } from './first-sdk.ts';
export type {
  ArgumentOverlay,
  FixedArgument,
  LeftOutTool,
  ListedTool,
  RemoteOptions,
  ToolListChange,
  ToolOverlay,
} from './remote-options.ts';
export { type RegisteredRemoteTools, registerRemoteTools } from './remote-tools.ts';
export { type ServeOptions, serveTools } from './serve-tools.ts';
