// The tools of a Nest application: the names of the entry `toolmend/nestjs`, one by one.
export { compileTools, type TestedModuleBuilder, type TestedTools } from './compile-tools.ts';
export type { ToolmendModuleOptions } from './toolmend-module.ts';
export { type ToolExecution, toolContextType, toolExecutionOf } from './run-in-nest.ts';
export { ToolmendModule } from './toolmend-module.ts';
