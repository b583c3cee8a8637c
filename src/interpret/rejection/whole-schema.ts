// What does a model read that has sent the same wrong call again? The whole schema that it was shown.
import type { ToolContract } from '../../contract/tool-contract.ts';
import type { LoweredSchema } from '../../dialects/lowering/lower-schema.ts';
import { shownSchema } from '../../dialects/shown-tool.ts';
import { compactSchema } from '../../hints/compact-schema.ts';

const start = 'The whole JSON Schema of the arguments';
/** Characters for what is said of what was left out. */
const longestRemark = 40;

/** In one line of at most so many characters; undefined where there is no room for it. */
export function wholeSchema(
  contract: ToolContract,
  form: Pick<LoweredSchema, 'schema'> | undefined,
  longest: number,
): string | undefined {
  const { schema } = form ?? { schema: shownSchema(contract) };
  const compact = compactSchema(schema, longest - start.length - longestRemark);
  if (compact === undefined) return undefined;
  const { text, leftOut } = compact;
  return `${start}${leftOut === 'nothing' ? '' : ` (without ${leftOut})`}: ${text}`;
}
