// How each agent is started with one task, and pointed to a server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { task } from './scripted-model.ts';

export interface AgentStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentSettings {
  /** Of the server, without a path. */
  readonly origin: string;
  /** The folder of the task. */
  readonly folder: string;
  /** The agent's own, empty home folder. */
  readonly home: string;
}

export interface Agent {
  readonly name: string;
  readonly packageName: string;
  /** Writes the agent's settings. Called once for each run. */
  start(settings: AgentSettings): AgentStart;
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

export const agents: readonly Agent[] = [
  {
    name: 'opencode',
    packageName: 'opencode-ai',
    start: ({ origin, folder }) => {
      const options = { baseURL: `${origin}/v1`, apiKey: 'none' };
      const models = { m: { name: 'M' } };
      const local = { npm: '@ai-sdk/openai-compatible', name: 'Local', options, models };
      const settings = {
        provider: { local },
        model: 'local/m',
        small_model: 'local/m',
        autoupdate: false,
      };
      write(folder, 'opencode.json', JSON.stringify(settings));
      return { command: 'opencode', args: ['run', '-m', 'local/m', task], env: {} };
    },
  },
  {
    name: 'qwen-code',
    packageName: '@qwen-code/qwen-code',
    start: ({ origin }) => ({
      command: 'qwen',
      args: ['--auth-type', 'openai', '--yolo', '-p', task],
      env: { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'm' },
    }),
  },
  {
    name: 'codex',
    packageName: '@openai/codex',
    start: ({ origin, home }) => {
      const settings = `model = "m"
model_provider = "local"

[model_providers.local]
name = "Local"
base_url = "${origin}/v1"
wire_api = "responses"
`;
      write(home, '.codex/config.toml', settings);
      const args = [
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        task,
      ];
      return { command: 'codex', args, env: {} };
    },
  },
  {
    name: 'Claude Code',
    packageName: '@anthropic-ai/claude-code',
    start: ({ origin }) => ({
      command: 'claude',
      args: ['-p', task, '--model', 'm', '--allowedTools', 'Read'],
      env: {
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_AUTH_TOKEN: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    }),
  },
  {
    name: 'Copilot CLI',
    packageName: '@github/copilot',
    start: ({ origin }) => ({
      command: 'copilot',
      args: ['-p', task, '--allow-all-tools', '--allow-all-paths'],
      env: {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
        COPILOT_MODEL: 'm',
      },
    }),
  },
  {
    name: 'cline',
    packageName: 'cline',
    start: ({ origin }) => ({
      command: 'sh',
      args: [
        '-c',
        `cline auth openai --baseurl ${origin}/v1 --apikey none --modelid m && cline --yolo "${task}"`,
      ],
      env: {},
    }),
  },
  {
    name: 'Continue',
    packageName: '@continuedev/cli',
    start: ({ origin, folder }) => {
      const model = {
        name: 'M',
        provider: 'openai',
        model: 'm',
        apiBase: `${origin}/v1`,
        apiKey: 'none',
      };
      const models = [{ ...model, capabilities: ['tool_use'], roles: ['chat'] }];
      const settings = { name: 'Local', version: '0.0.1', schema: 'v1', models };
      write(folder, 'continue.yaml', JSON.stringify(settings));
      const args = ['--config', join(folder, 'continue.yaml'), '--auto', '-p', task];
      return { command: 'cn', args, env: {} };
    },
  },
  {
    name: 'pi',
    packageName: '@earendil-works/pi-coding-agent',
    start: ({ origin, home }) => {
      const local = {
        baseUrl: `${origin}/v1`,
        api: 'openai-completions',
        apiKey: 'none',
        models: [{ id: 'm' }],
      };
      write(home, '.pi/agent/models.json', JSON.stringify({ providers: { local } }));
      return { command: 'pi', args: ['--provider', 'local', '--model', 'm', '-p', task], env: {} };
    },
  },
  {
    name: 'kimi-code',
    packageName: '@moonshot-ai/kimi-code',
    start: ({ origin, home }) => {
      const settings = `default_model = "local"

[providers.local]
type = "openai"
base_url = "${origin}/v1"
api_key = "none"

[models.local]
provider = "local"
model = "m"
max_context_size = 32768
`;
      write(home, '.kimi-code/config.toml', settings);
      return { command: 'kimi', args: ['-p', task], env: {} };
    },
  },
];
