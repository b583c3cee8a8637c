import { format } from 'prettier';
import type { AgentRun } from './run-agent.ts';

export type AgentResult = { readonly name: string; readonly packageName: string } & (
  | { readonly version: string; readonly directly: AgentRun; readonly repaired: AgentRun }
  | { readonly why: string }
);

/** The agents that ran, by what came of their calls without and with the gateway. */
function agentsTable(results: readonly AgentResult[]): string {
  const rows = results.flatMap((result) => {
    if ('why' in result || result.repaired.calls === 0) return [];
    const { name, version, directly, repaired } = result;
    return [
      `| ${name} | ${version} | ${directly.ran} of ${directly.calls} | ${repaired.ran} of ${repaired.calls} |`,
    ];
  });
  return `| agent | version | calls that ran | through the gateway |
| --- | --- | --: | --: |
${rows.join('\n')}`;
}

const [begin, end] = ['<!-- agents -->', '<!-- end of agents -->'];

/** README.md with the table of the agents between its markers. */
export async function readmeWithAgents(
  readme: string,
  results: readonly AgentResult[],
): Promise<string> {
  const [before, rest] = readme.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`README.md has lost the markers ${begin} and ${end}`);
  const table = await format(agentsTable(results), { parser: 'markdown' });
  return `${before}${begin}\n\n${table}\n${end}${after}`;
}

/** docs/internals/agents.md, formatted. */
export async function agentsPage(results: readonly AgentResult[], date: Date): Promise<string> {
  const others = results.flatMap((result) => {
    if ('why' in result) return [`- ${result.name}: ${result.why}`];
    return result.repaired.calls === 0
      ? [
          `- ${result.name} ${result.version} started, and never offered its tools to the scripted model in the time that it had.`,
        ]
      : [];
  });
  const page = `# Agents

Unmodified agents from npm, before a scripted model that makes a mistake in each of four calls of the agent's own tool that reads files, or runs
commands: a number as text, null for what may be absent, the key in another spelling, and JSON with single quotes and a comma too many. A call
counts if the content of its file came back to the model. \`npm run agents\` wrote this page on ${date.toISOString().slice(0, 10)}.

${agentsTable(results)}

An agent that gives up after a wrong call gets fewer than four.
${others.length === 0 ? '' : `\n## Not measured\n\n${others.join('\n')}\n`}`;
  return format(page, { parser: 'markdown', printWidth: 140, proseWrap: 'preserve' });
}
