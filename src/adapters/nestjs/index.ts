// The tools of a Nest application: the names of the entry `toolmend/nestjs`, one by one.
export { compileTools, type TestedModuleBuilder, type TestedTools } from './compile-tools.ts';
export type { ToolmendModuleOptions } from './module-options.ts';
export { type ToolExecution, toolContextType, toolExecutionOf } from './tool-execution.ts';
export { ToolmendModule } from './toolmend-module.ts';
