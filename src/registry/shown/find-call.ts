// Which tool does a call mean, under the name by which the model knows it?
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { DialectName } from '../../dialects/dialect-table.ts';
import { byShownName, shownName } from '../../dialects/shown-form.ts';
import { findTool, type FoundTool } from '../../interpret/find-tool.ts';
import type { InterpretOptions } from '../../interpret/interpret.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { knownForm } from './known-dialect.ts';

export interface FoundCall {
  readonly found: FoundTool<ToolContract>;
  /** With the tool's own name where the model knew it exactly by another one. */
  readonly call: ToolCall;
  /** How the tool was shown. */
  readonly options: InterpretOptions | undefined;
}

/** `asked`: how the tools were shown; else as the call says. Throws a DefinitionError for a dialect that there is not. */
export function findCall(
  tools: ReadonlyMap<string, ToolContract>,
  sent: ToolCall,
  asked: DialectName | undefined,
): FoundCall {
  const dialect = knownForm(asked ?? sent.dialect, 'ToolRegistry.call');
  if (dialect === undefined) {
    return { found: findTool(tools, sent.name), call: Object.freeze({ ...sent }), options: undefined };
  }
  // A tool's own name is taken too: models read it elsewhere.
  const found = findTool(tools.has(sent.name) ? tools : byShownName(tools, dialect), sent.name);
  const own = found.kind === 'unknown' ? sent.name : found.tool.name;
  const shown = shownName(tools.keys(), dialect, own);
  return {
    found,
    call: Object.freeze({ ...sent, name: found.kind === 'exact' ? own : sent.name, dialect }),
    options: { dialect, shownName: shown === own ? undefined : shown },
  };
}
