// `npm run agents [-- NAME...]` installs real agents from npm, each alone in a temporary folder, and
// gives each a model that makes a mistake in each of four calls: once directly, once through the
// gateway. Writes docs/internals/agents.md with all that ran, and, if no agent is named, the table of
// the README. `--installed FOLDER` keeps what it installs there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Agent, agents } from './agents/agent-table.ts';
import { type AgentResult, agentsPage, readmeWithAgents } from './agents/agents-page.ts';
import { runAgent } from './agents/run-agent.ts';

const { values, positionals } = parseArgs({
  options: { installed: { type: 'string' } },
  allowPositionals: true,
});
const parent = values.installed ?? mkdtempSync(join(tmpdir(), 'toolmend-agents-'));
const results: AgentResult[] = [];
for (const agent of agents) {
  if (positionals.length > 0 && !positionals.includes(agent.name)) continue;
  const result = await resultOf(agent);
  console.log(JSON.stringify(result));
  results.push(result);
}
writeFileSync('docs/internals/agents.md', await agentsPage(results, new Date()));
if (positionals.length === 0)
  writeFileSync('README.md', await readmeWithAgents(readFileSync('README.md', 'utf8'), results));

async function resultOf(agent: Agent): Promise<AgentResult> {
  const { name, packageName } = agent;
  try {
    const folder = install(packageName);
    const manifest = readFileSync(
      join(folder, 'node_modules', packageName, 'package.json'),
      'utf8',
    );
    const { version } = JSON.parse(manifest);
    const directly = await runAgent(agent, folder, 'directly');
    const repaired = await runAgent(agent, folder, 'through the gateway');
    return { name, packageName, version, directly, repaired };
  } catch (error) {
    return { name, packageName, why: String(error).split('\n')[0] ?? '' };
  }
}

function install(packageName: string): string {
  const folder = join(parent, packageName.replaceAll(/[@/]/g, '_'));
  if (existsSync(join(folder, 'node_modules', packageName))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', packageName], {
    cwd: folder,
  });
  return folder;
}
