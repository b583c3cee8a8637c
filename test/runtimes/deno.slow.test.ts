// Deno runs the TypeScript of programs with the packed package. They have none of Deno's permissions: they may neither read
// the environment nor ask for the working directory.
import { writeFiles } from '../checks/temporary-folder.ts';
import {
  createRuntimeProject,
  expectedOfClassValidator,
  expectedOfProgram,
  printedBy,
} from './runtime-project.ts';

let project: Awaited<ReturnType<typeof createRuntimeProject>>;

beforeAll(async () => {
  project = await createRuntimeProject('deno@2');
});

const printed = (file: string): unknown =>
  printedBy(project.run('node_modules/.bin/deno', 'run', '--quiet', file));

test('Deno runs toolmend, with standard decorators', () => {
  expect(printed('print-program.ts')).toEqual(expectedOfProgram);
});

test("Deno runs toolmend with experimentalDecorators, and a class of class-validator's decorators", () => {
  writeFiles(project.folder, {
    'deno.json': JSON.stringify({ compilerOptions: { experimentalDecorators: true } }),
  });
  expect(printed('print-program.ts')).toEqual(expectedOfProgram);
  expect(printed('print-class-validator.ts')).toEqual(expectedOfClassValidator);
});
