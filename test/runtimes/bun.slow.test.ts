// Bun runs the TypeScript of programs with the packed package.
import { writeFiles } from '../checks/temporary-folder.ts';
import {
  createRuntimeProject,
  expectedOfClassValidator,
  expectedOfProgram,
  printedBy,
} from './runtime-project.ts';

let project: Awaited<ReturnType<typeof createRuntimeProject>>;

beforeAll(async () => {
  project = await createRuntimeProject('bun@1');
});

const printed = (file: string): unknown =>
  printedBy(project.run('node_modules/.bin/bun', 'run', file));

test('Bun runs toolmend, with standard decorators', () => {
  expect(printed('print-program.ts')).toEqual(expectedOfProgram);
});

test("Bun runs toolmend with experimentalDecorators, and a class of class-validator's decorators", () => {
  writeFiles(project.folder, {
    'tsconfig.json': JSON.stringify({ compilerOptions: { experimentalDecorators: true } }),
  });
  expect(printed('print-program.ts')).toEqual(expectedOfProgram);
  expect(printed('print-class-validator.ts')).toEqual(expectedOfClassValidator);
});
