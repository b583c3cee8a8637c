// `toolmend check` of modules, in a process of its own, where Node loads them.
import { join } from 'node:path';
import { projectFolder } from '../checks/project-folder.ts';
import { runCommand } from '../checks/run-command.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';

const fileOf = (name: string, text: string): string =>
  join(temporaryFolder({ [name]: text }), name);
const toolmendEntry = JSON.stringify(`file://${join(projectFolder, 'src/index.ts')}`);

const checkModule = (text: string) => {
  const args = ['check', fileOf('tools.mjs', text), '--for', 'openai-strict', '--json'];
  return runCommand(projectFolder, process.execPath, ['src/cli/toolmend.ts', ...args]);
};

describe('a module', () => {
  const definition = `defineTool({ name: 'search', description: 'Search.', execute: () => '',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, additionalProperties: false } })`;
  // The compiled form of @Tool({ … }) class Clock { @Field({ type: String }) zone }.
  const clock = `export class Clock { execute() { return 'noon'; } }
    Field({ type: String })(Clock.prototype, 'zone');
    Tool({ description: 'The time.' })(Clock);`;

  test('that exports tool classes and definitions, beside other things', () => {
    const { status, output } = checkModule(
      `import { defineTool, Field, Tool } from ${toolmendEntry};
      export const search = ${definition};
      export const again = [search];
      export class Helper {}
      export const limit = 7;
      ${clock}`,
    );
    expect(output).toContain('"tools": 2,');
    expect(output).toContain('"tool": "search"');
    expect(status).toBe(0);
  });

  test('that exports a registry', () => {
    const { output } = checkModule(
      `import { defineTool, Field, Tool, ToolRegistry } from ${toolmendEntry};
      ${clock}
      export const tools = new ToolRegistry().register(Clock, ${definition});`,
    );
    expect(output).toContain('"tools": 2,');
  });

  test('that keeps its process alive: the check ends, with its whole report', () => {
    const { status, output } = checkModule(
      `import { defineTool, Field, Tool } from ${toolmendEntry};
      import { createServer } from 'node:http';
      createServer().listen(0);
      export const many = Array.from({ length: 2000 }, () => ${definition});`,
    );
    expect(status).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ tools: 2000 });
  });

  test('with a constraint that its field’s emitted type contradicts', () => {
    const { status, output } = checkModule(
      `import 'file://${join(projectFolder, 'node_modules/reflect-metadata/Reflect.js')}';
      import { IsInt } from 'file://${join(projectFolder, 'node_modules/class-validator/cjs/index.js')}';
      import { Tool } from ${toolmendEntry};
      export class Count { execute() {} };
      export class Again { execute() {} };
      for (const [Class, emitted] of [[Count, String], [Again, Number]]) {
        IsInt()(Class.prototype, 'times');
        Reflect.defineMetadata('design:type', emitted, Class.prototype, 'times');
        Tool({ name: Class.name.toLowerCase(), description: 'Counts.' })(Class);
      }`,
    );
    expect(status).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      tools: 1,
      broken: [
        'Count.times is declared as integer, but its TypeScript type is String: make the two agree.',
      ],
    });
  });

  test('with a faulty class: the message is that of registration', () => {
    const clockWithoutMethod = "export class Clock {}; Tool({ description: 'The time.' })(Clock);";
    const { status, output } = checkModule(
      `import { Tool } from ${toolmendEntry}; ${clockWithoutMethod}`,
    );
    expect(status).toBe(1);
    expect(output).toContain('has no method execute');
  });

  test('without tools', () => {
    expect(checkModule('export const limit = 7;').output).toContain(
      'exports no registry, no tool class and nothing that defineTool made',
    );
  });

  test('that awaits at its top level', () => {
    const { status, output } = checkModule(
      `import { defineTool } from ${toolmendEntry};
      await new Promise((resolve) => setTimeout(resolve, 20));
      export const search = ${definition};`,
    );
    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringContaining('"tools": 1,'),
    });
  });

  test.each([
    ['awaits what never comes', 'await new Promise(() => {});', 'it awaits at its top level what'],
    ['throws', "throw new Error('no such key');", "can't be loaded: no such key"],
    ['can’t be parsed', 'export const = 1;', "can't be loaded: "],
  ])('that %s: exit code 2, and why', (_what, text, why) => {
    const { status, output } = checkModule(text);
    expect({ status, output }).toEqual({ status: 2, output: expect.stringContaining(why) });
  });

  test.each([
    ['members', 'module.exports = { search }'],
    [
      'members that only run time knows',
      "module.exports = Object.fromEntries([['search', search]])",
    ],
    ['a registry', 'module.exports = new ToolRegistry().register(search)'],
  ])('of CommonJS that exports %s', (_what, end) => {
    const file = fileOf(
      'tools.cjs',
      `const { defineTool, ToolRegistry } = require(${JSON.stringify(join(projectFolder, 'src/index.ts'))});
      const search = ${definition};
      ${end};`,
    );
    const args = ['src/cli/toolmend.ts', 'check', file, '--for', 'openai', '--json'];
    const { output } = runCommand(projectFolder, process.execPath, args);
    expect(output).toContain('"tools": 1,');
  });
});
