// However a server numbers and cuts its calls, a client gets them as the model wrote them.
import { fc } from '../seeded-fast-check.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const names = ['read', 'write'] as const;
const body = JSON.stringify({
  model: 'm',
  messages: [{ role: 'user', content: 'Go.' }],
  tools: names.map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {} } },
  })),
});

/** How a server writes the parts of its calls. */
interface Style {
  readonly index: 'own' | 'zero' | 'absent' | 'null';
  readonly id: 'first' | 'each' | 'empty' | 'absent';
  readonly name: 'first' | 'each' | 'alone';
}

interface ScriptedCall {
  readonly name: string;
  readonly text: string;
  readonly cuts: readonly number[];
}

const styles = fc.record<Style>({
  index: fc.constantFrom('own', 'zero', 'absent', 'null'),
  id: fc.constantFrom('first', 'each', 'empty', 'absent'),
  name: fc.constantFrom('first', 'each', 'alone'),
});

const calls = fc.array(
  fc.record<ScriptedCall>({
    name: fc.constantFrom(...names),
    text: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
    cuts: fc.array(fc.nat({ max: 40 }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function partsOf({ name, text, cuts }: ScriptedCall, at: number, style: Style): readonly object[] {
  const ends = [...cuts.filter((cut) => cut > 0 && cut < text.length), text.length].toSorted(
    (one, other) => one - other,
  );
  const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  const ids = { first: `call_${at}`, each: `call_${at}`, empty: '', absent: undefined };
  const indexes = { own: at, zero: 0, absent: undefined, null: null };
  const isNamed = (index: number): boolean => index === 0 || style.name === 'each';
  return (style.name === 'alone' ? ['', ...pieces] : pieces).map((piece, index) => ({
    index: indexes[style.index],
    id: index > 0 && style.id === 'first' ? undefined : ids[style.id],
    function: { name: isNamed(index) ? name : undefined, arguments: piece },
  }));
}

/** What a client reads that adds up parts by their index, and takes the first name and id. */
function callsIn(text: string): readonly object[] {
  const found = new Map<unknown, { id: unknown; name: unknown; text: string }>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { choices }: Sent = JSON.parse(line.slice(6));
    for (const { index, id, function: called } of choices[0].delta.tool_calls ?? []) {
      const call = found.get(index) ?? { id, name: called.name, text: '' };
      call.text += called.arguments;
      found.set(index, call);
    }
  }
  expect([...found.keys()].every((index) => typeof index === 'number')).toBe(true);
  const ids = [...found.values()].map(({ id }) => id);
  expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
  expect(new Set(ids).size).toBe(found.size);
  return [...found.values()].map((call) => ({ name: call.name, text: call.text }));
}

test('the calls of a stream are those that the model wrote', async () => {
  let chunks: readonly string[] = [];
  const upstream = await startUpstream(() => ({ chunks: [chunks.join('')] }));
  const { port } = await startTestGateway(upstream.origin);
  await fc.assert(
    fc.asyncProperty(styles, calls, async (style, scripted) => {
      const deltas = scripted.flatMap((call, at) => partsOf(call, at, style));
      const chunk = (delta: object, finish_reason: string | null = null): string =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
      chunks = [
        ...deltas.map((part) => chunk({ tool_calls: [part] })),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ];
      const { bytes } = await ask(port, '/v1/chat/completions', { body });
      const text = bytes.toString();

      expect(callsIn(text)).toEqual(scripted.map((call) => ({ name: call.name, text: call.text })));
      const isReadable = style.index === 'own' && ['first', 'each'].includes(style.id);
      if (isReadable) expect(text).toBe(chunks.join(''));
    }),
  );
});
