// Interprets recorded calls with the default validator or with Ajv, in a process of its own, which may be forbidden to generate code.
// node [--disallow-code-generation-from-strings] interpret-cases.mjs PACKAGE ajv|default FILE...
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, validatorName, ...files] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${folder}/${path}`).href);
const { interpretArguments } = await load('dist/index.js');
const options =
  validatorName === 'ajv'
    ? { validator: (await load('dist/validate/ajv-validator.js')).ajvValidator }
    : {};

for (const file of files) {
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { schema, input, inputText, tool, options: own } = JSON.parse(line);
    const sent = inputText === undefined ? { value: input } : { text: inputText };
    const named = tool === null ? {} : { tool };
    process.stdout.write(
      `${JSON.stringify(interpretArguments(schema, sent, { ...own, ...named, ...options, warn: () => undefined }))}\n`,
    );
  }
}
