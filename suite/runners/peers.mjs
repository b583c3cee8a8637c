// node peers.mjs NAME: a JavaScript library of bench/peers, used as its documentation says. Install
// the libraries first: npm ci --prefix bench/peers. Each value is validated afterwards, as an agent
// would do it that runs the tool only with valid arguments.
import { readFileSync } from 'node:fs';
import {
  ajvCoercer,
  ajvReader,
  jsonrepairReader,
  parserRepairer,
  typeboxConverter,
  typiaValidatingRepairer,
  validating,
} from '../../bench/peers/read-text.mjs';
import { serve } from './serve.mjs';

/** For each name the package, and from a schema a function that reads argument text. */
const peers = {
  ajv: ['ajv', ajvReader],
  'ajv-coercing': ['ajv', ajvCoercer],
  jsonrepair: ['jsonrepair', jsonrepairReader],
  typebox: ['typebox', typeboxConverter],
  typia: ['@typia/utils', typiaValidatingRepairer],
  'ai-sdk-tool-parser': ['@ai-sdk-tool/parser', (schema) => validating(schema, parserRepairer)],
};

const [name] = process.argv.slice(2);
const [packageName, readerOf] = peers[name] ?? [];
if (readerOf === undefined) {
  console.error(`peers.mjs takes one of ${Object.keys(peers).join(', ')}`);
  process.exit(2);
}
const folder = new URL('../../bench/peers/node_modules/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL(`${packageName}/package.json`, folder)));

/** Compiling takes longer than reading, and many cases are of the same tool. */
const readers = new Map();

function readerFor({ $schema: _draft, ...schema }) {
  const key = JSON.stringify(schema);
  if (!readers.has(key)) readers.set(key, readerOf(schema));
  return readers.get(key);
}

await serve({ name, version, language: 'JavaScript' }, ({ tool: { schema }, sent }) => {
  if (sent.answer !== undefined) return { skip: 'reads arguments only' };
  const text = sent.text ?? JSON.stringify(sent.arguments);
  const value = readerFor(schema)(text);
  return value === undefined ? { refuse: 'no value' } : { accept: value };
});
