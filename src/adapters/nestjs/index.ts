export { compileTools, type TestedModuleBuilder, type TestedTools } from './compile-tools.ts';
export type { ToolmendPageOptions } from './page-controller.ts';
export { type ToolExecution, toolContextType, toolExecutionOf } from './run-in-nest.ts';
export { ToolmendModule, type ToolmendModuleOptions } from './toolmend-module.ts';
export {
  ToolmendHealth,
  type ToolmendHealthResult,
  type ToolmendHealthState,
} from './toolmend-health.ts';
