import { readFileSync } from 'node:fs';
import { getEncoding } from 'js-tiktoken';
import { ToolRegistry } from 'toolmend';
import { toolOf } from '../tools.ts';

test('the default estimate is close to a real tokenizer for published tools', () => {
  const tokenizer = getEncoding('o200k_base');
  const ratios = publishedSchemas().map((inputSchema) => {
    const tools = new ToolRegistry().register(toolOf(() => '', { inputSchema }));
    const { tokens } = tools.cost('openai');
    return tokens / tokenizer.encode(JSON.stringify(tools.schemas('openai'))).length;
  });
  const sorted = ratios.toSorted((one, other) => one - other);
  expect(sorted.length).toBeGreaterThan(900);
  expect(sorted[Math.floor(sorted.length * 0.05)]).toBeGreaterThan(0.9);
  expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThan(1.1);
});

const publishedSchemas = () =>
  readFileSync(new URL('../cases/mcp-tools.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).schema);
