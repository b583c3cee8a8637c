import { ContractCache } from '../../src/gateway/contract-cache.ts';
import type { RequestTool } from '../../src/gateway/protocol.ts';

const tool = (name: string, description = ''): RequestTool => ({
  name,
  description,
  schema: { type: 'object', properties: { path: { type: 'string' } } },
  effects: undefined,
  path: [],
  schemaKey: 'parameters',
  takesStrict: true,
});

test('a tool with the same content has the same contract', () => {
  const cache = new ContractCache();

  expect(cache.contractOf(tool('a'))).toBe(cache.contractOf(tool('a')));
  expect(cache.contractOf(tool('a'))).not.toBe(cache.contractOf(tool('a', 'changed')));
});

test('with too many tools, the one that was used longest ago is forgotten', () => {
  const cache = new ContractCache(2);
  const [a, b] = [cache.contractOf(tool('a')), cache.contractOf(tool('b'))];
  cache.contractOf(tool('a'));
  cache.contractOf(tool('c'));

  expect(cache.contractOf(tool('a'))).toBe(a);
  expect(cache.contractOf(tool('b'))).not.toBe(b);
});

test('large tools are forgotten earlier, but not the one that is used', () => {
  const cache = new ContractCache(100, 1_000);
  const small = cache.contractOf(tool('a'));
  const large = cache.contractOf(tool('b', 'x'.repeat(2_000)));

  expect(cache.contractOf(tool('b', 'x'.repeat(2_000)))).toBe(large);
  expect(cache.contractOf(tool('a'))).not.toBe(small);
});
