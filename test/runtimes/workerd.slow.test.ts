// Workers with the packed package in workerd, as Miniflare starts it. A registry is made while the module is loaded, when
// Workers have no random values and no timers.
import {
  createRuntimeProject,
  expectedOfClassValidator,
  expectedOfProgram,
  printedBy,
} from './runtime-project.ts';

test("workerd runs toolmend with and without nodejs_compat, and a class of class-validator's decorators", async () => {
  const project = await createRuntimeProject('miniflare@4');
  expect(project.bundle('worker.ts', 'standard')).toBe('');
  expect(project.bundle('class-validator-worker.ts', 'experimental')).toBe('');
  const answers = printedBy(project.run(process.execPath, 'run-workers.mjs'));
  const answer = (script: string, flags: readonly string[], value: unknown) => ({
    script,
    compatibilityFlags: flags,
    text: JSON.stringify(value),
  });
  expect(answers).toEqual([
    answer('worker.js', [], expectedOfProgram),
    answer('worker.js', ['nodejs_compat'], expectedOfProgram),
    answer('class-validator-worker.js', [], expectedOfClassValidator),
    answer('class-validator-worker.js', ['nodejs_compat'], expectedOfClassValidator),
  ]);
});
