// The headers of the stateless revision, as a client must send them.
import { standardHeaderProblem } from '../../src/mcp-proxy/headers.ts';
import { readMessage } from '../../src/mcp-proxy/message.ts';

const version = '2026-07-28';

function problemOf(headers: Record<string, string>, name = 'read', meta?: object) {
  const message = readMessage(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, _meta: meta ?? { 'io.modelcontextprotocol/protocolVersion': version } },
    }),
  );
  if (typeof message === 'string') throw new Error(message);
  return standardHeaderProblem(message, headers);
}

const right = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'read' };

test.each([
  ['plain', right, 'read'],
  ['with blanks around', { ...right, 'mcp-name': ' read ' }, 'read'],
  ['in Base64', { ...right, 'mcp-name': '=?base64?bMOkcw==?=' }, 'läs'],
])('headers that say what the body says are right: %s', (_title, headers, name) => {
  expect(problemOf(headers, name)).toBeUndefined();
});

test.each([
  ['MCP-Protocol-Version is missing', { 'mcp-method': 'tools/call', 'mcp-name': 'read' }],
  ['Mcp-Method is missing', { 'mcp-protocol-version': version, 'mcp-name': 'read' }],
  ['Mcp-Name is missing', { 'mcp-protocol-version': version, 'mcp-method': 'tools/call' }],
  ['MCP-Protocol-Version differs', { ...right, 'mcp-protocol-version': '2025-11-25' }],
  ['Mcp-Method differs', { ...right, 'mcp-method': 'tools/list' }],
  ['Mcp-Name differs', { ...right, 'mcp-name': 'write' }],
  ['Mcp-Name differs', { ...right, 'mcp-name': '=?base64?%%?=' }],
])('%s', (problem, headers) => {
  expect(problemOf(headers)).toContain(problem);
});

test('requests of earlier revisions need none of them', () => {
  expect(problemOf({}, 'read', {})).toBeUndefined();
});
