// What tools cost in each request, as `toolmend check --cost` shows it.
import { describeTools } from '../providers/describe-tools.ts';
import type { ProviderName } from '../providers/providers.ts';
import { type Cost, type ToolCost, type ToolSetCost, toolSetCost } from '../providers/tool-cost.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

const defaultHints = {};

export const costsOf = (
  contracts: readonly ToolContract[],
  names: readonly ProviderName[],
): readonly ToolSetCost[] =>
  names.map((provider) => toolSetCost(describeTools(contracts, provider, defaultHints), provider));

/** The most expensive fields of a tool that are listed. */
const mostFields = 5;
const mostSentences = 10;

export function costToText(cost: ToolSetCost): string {
  const { provider, tools, repeatedSentences } = cost;
  const lines = [
    `${provider}: ${amount(cost)} in each request (tokens as tokenx estimates them)`,
    ...tools.flatMap(toolLines),
    ...repeatedSentences
      .slice(0, mostSentences)
      .map(
        ({ sentence, times, savedTokens }) =>
          `  ${JSON.stringify(sentence)} is said ${times} times: once would save ${savedTokens} tokens`,
      ),
  ];
  return `${lines.join('\n')}\n`;
}

const toolLines = (tool: ToolCost): readonly string[] => [
  `  ${tool.tool}: ${amount(tool)}`,
  `    description: ${amount(tool.description)}`,
  ...tool.hints.map((hint) => `    hint ${JSON.stringify(hint.hint)}: ${amount(hint)}`),
  ...tool.fields.slice(0, mostFields).map((field) => `    ${field.field}: ${amount(field)}`),
  ...(tool.fields.length > mostFields
    ? [`    and ${tool.fields.length - mostFields} smaller fields`]
    : []),
];

const amount = ({ tokens, bytes }: Cost): string => `${tokens} tokens, ${bytes} bytes`;
