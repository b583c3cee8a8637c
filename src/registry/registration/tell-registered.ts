// What is there to say of a tool that was just registered? Of its schema, if somebody else wrote it.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { tellWarnings } from '../../telemetry/schema-warning.ts';
import type { ToolListener } from '../../telemetry/tool-listener.ts';
import { judgeOf } from '../../validate/judge-of.ts';

/** Tells the listeners of the schema's warnings; a class's schema, which is ours, has none. */
export function tellRegistered(contract: ToolContract, listeners: readonly ToolListener[]): void {
  if (!['function', 'wire'].includes(contract.binding.kind)) return;
  const tellers = listeners.filter((listener) => typeof listener.onWarning === 'function');
  tellWarnings(
    judgeOf(contract).warnings,
    tellers.map((listener) => (warning) => listener.onWarning?.(warning)),
  );
}
