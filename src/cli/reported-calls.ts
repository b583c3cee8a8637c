// Ten tool calls that people have reported, each with the thread that shows it. Most threads show
// only the arguments: then the schema is the part of it that matters.
import type { SchemaObject } from '../schema/json-schema.ts';

/** One reported call. */
export interface ReportedCall {
  readonly model: string;
  /** The issue on GitHub, as `owner/repository#number`. */
  readonly thread: string;
  readonly tool: string;
  readonly schema: SchemaObject;
  /** The arguments as the model sent them. */
  readonly text: string;
  /** What is wrong with them, in one sentence. */
  readonly fault: string;
}

export const reportedCalls: readonly ReportedCall[] = [
  {
    model: 'GLM 4.7',
    thread: 'vllm-project/vllm#54971',
    tool: 'list_dir',
    schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    text: '{"path</arg_key>": "/Users/user/Desktop/project"}',
    fault: 'A tag of the chat template sticks to the key.',
  },
  {
    model: 'DeepSeek',
    thread: 'anomalyco/opencode#29412',
    tool: 'read',
    schema: {
      type: 'object',
      properties: {
        filePath: { type: 'string' },
        offset: { type: 'number' },
        limit: { type: 'number' },
      },
      required: ['filePath'],
    },
    text: '{"filePath": "src/a.ts", "offset": null, "limit": null}',
    fault: 'Optional arguments are null instead of absent.',
  },
  {
    model: 'GLM 5.2',
    thread: 'earendil-works/pi#7835',
    tool: 'edit',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
            required: ['oldText', 'newText'],
            additionalProperties: false,
          },
        },
      },
      required: ['path', 'edits'],
      additionalProperties: false,
    },
    text: '{"path": "/tmp/pi-bug.txt", "edits": {"newText": "GOODBYE world", "oldText": "hello     world"}}',
    fault: 'One edit stands where a list of edits belongs.',
  },
  {
    model: 'Gemini 3',
    thread: 'microsoft/vscode#321896',
    tool: 'manage_todo_list',
    schema: {
      type: 'object',
      properties: {
        todoList: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'number' },
              title: { type: 'string' },
              status: { type: 'string', enum: ['not-started', 'in-progress', 'completed'] },
            },
            required: ['id', 'title', 'status'],
          },
        },
      },
      required: ['todoList'],
    },
    text: '{"todoList[0].id": 1, "todoList[0].status": "not-started", "todoList[0].title": "Audit dependencies in package.json", "todoList[1].id": 2, "todoList[1].status": "not-started", "todoList[1].title": "Analyze Cargo.toml of client gateway"}',
    fault: 'The list is spread over keys that are paths.',
  },
  {
    model: 'Claude',
    thread: 'modelcontextprotocol/servers#2905',
    tool: 'sequentialthinking',
    schema: {
      type: 'object',
      properties: {
        thought: { type: 'string' },
        nextThoughtNeeded: { type: 'boolean' },
        thoughtNumber: { type: 'integer', minimum: 1 },
        totalThoughts: { type: 'integer', minimum: 1 },
        isRevision: { type: 'boolean' },
      },
      required: ['thought', 'nextThoughtNeeded', 'thoughtNumber', 'totalThoughts'],
    },
    text: '{"thought": "First, look at the build.", "next_thought_needed": "true", "thought_number": "1", "total_thoughts": "10", "is_revision": "false"}',
    fault: 'The keys are in snake_case, and every value is a string.',
  },
  {
    model: 'Kimi K2.6',
    thread: 'MoonshotAI/kimi-cli#2165',
    tool: 'Shell',
    schema: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        run_in_background: { type: 'boolean' },
        description: { type: 'string' },
      },
      required: ['command'],
    },
    text: '{"command": "python train.py --mesh 15k", "run_in_background": true, description": "mesh15k baseline without transfer"}',
    fault: 'A key lacks its opening quotation mark.',
  },
  {
    model: 'Qwen3-Coder',
    thread: 'Kilo-Org/kilocode#3282',
    tool: 'read_file',
    schema: {
      type: 'object',
      properties: {
        files: {
          type: 'array',
          items: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
      },
      required: ['files'],
    },
    text: '{"arguments": {"arguments": {"files": [{"path": "src/a.ts"}]}}}',
    fault: 'The arguments are wrapped twice.',
  },
  {
    model: 'DeepSeek V4',
    thread: 'sgl-project/sglang#35736',
    tool: 'Bash',
    schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="Bash">\n<｜DSML｜parameter name="command" string="true">pwd</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    fault: "The arguments are the call in the model's own markup.",
  },
  {
    model: 'MiniMax M2.5',
    thread: 'sgl-project/sglang#23071',
    tool: 'bash',
    schema: {
      type: 'object',
      properties: { command: { type: 'string' }, description: { type: 'string' } },
      required: ['command', 'description'],
    },
    text: '{"command": "pytest -q 2>&1 | head -100"{"command": "pytest -q 2>&1 | head -100", "description": "Run tests"}',
    fault: 'The stream broke off and began again.',
  },
  {
    model: 'DeepSeek V4 Flash',
    thread: 'anomalyco/opencode#46807',
    tool: 'read',
    schema: {
      type: 'object',
      properties: {
        filePath: { type: 'string' },
        offset: { type: 'integer', exclusiveMinimum: 0 },
        limit: { type: 'integer', exclusiveMinimum: 0 },
      },
      required: ['filePath'],
    },
    text: '{"filePath": "opencode.log", "offset": -1}',
    fault: 'The offset is out of range. toolmend invents no other: the model reads what to send.',
  },
];
