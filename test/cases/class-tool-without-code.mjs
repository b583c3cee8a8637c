// Uses a class as a tool without code generation. Decorators are called as functions: this file isn't compiled.
// node --disallow-code-generation-from-strings class-tool-without-code.mjs PACKAGE
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(`${process.argv[2]}/${path}`).href);
const { contractOf, Default, defineTool, Field, integer, Tool, toolMessage, ToolRegistry } =
  await load('dist/index.js');
const { ajvValidator } = await load('dist/validate/ajv-validator.js');

class Repeat {
  execute() {
    return this.word.repeat(this.times);
  }
}
Field({ type: String })(Repeat.prototype, 'word');
Field({ type: integer })(Repeat.prototype, 'times');
Default(2)(Repeat.prototype, 'times');
Tool({ description: 'Repeats a word.' })(Repeat);

const said = (make) => {
  try {
    make();
    return 'made';
  } catch (error) {
    return error.message;
  }
};

const tools = new ToolRegistry().register(Repeat);
const answers = [];
for (const sent of ['{"word":"ha","times":"3"}', '{"word":"ha"}', '{"times":1}']) {
  const outcome = await tools.call({ id: 'call_1', name: 'repeat', arguments: sent });
  answers.push(toolMessage(outcome).text.split('\n').slice(0, 2).join(' '));
}
const definition = { name: 'any', description: 'Any.', inputSchema: { type: 'object' }, execute: () => 'done' };
console.log(
  JSON.stringify({
    answers,
    contract: said(() => contractOf(Repeat)),
    byDefault: said(() => new ToolRegistry().register(defineTool(definition))),
    withAjv: said(() => new ToolRegistry({ validator: ajvValidator }).register(defineTool(definition))),
  }),
);
