// What is special about Ollama. What it has in common with other APIs is in turns.test.ts.
import { ollamaChat, type OllamaTurn } from 'toolmend/ollama';
import { attachTexts, resultTools } from '../sample-results.ts';

const answer = (message: object): Promise<OllamaTurn> =>
  ollamaChat(resultTools()).answer({
    model: 'scripted',
    done_reason: 'stop',
    message: { role: 'assistant', content: '', ...message },
  });

const call = (name: string, args: object) => ({ function: { name, arguments: args } });

test('thinking goes back, and results are matched by the name of the tool', async () => {
  const { messages } = await answer({
    thinking: 'Let me see.',
    tool_calls: [call('search', { query: 'a', limit: '5' }), call('Search', { query: 'b' })],
  });

  expect(messages).toEqual([
    {
      role: 'assistant',
      content: '',
      thinking: 'Let me see.',
      tool_calls: [call('search', { query: 'a', limit: 5 }), call('search', { query: 'b' })],
    },
    { role: 'tool', tool_name: 'search', content: 'found a' },
    { role: 'tool', tool_name: 'search', content: 'found b' },
  ]);
});

test('ids of newer servers are kept', async () => {
  const { messages } = await answer({
    tool_calls: [{ id: 'c1', ...call('search', { query: 'a' }) }],
  });

  expect(messages).toMatchObject([
    { tool_calls: [{ id: 'c1' }] },
    { role: 'tool', tool_name: 'search', tool_call_id: 'c1' },
  ]);
});

test('images come in a user message', async () => {
  const { messages } = await answer({ tool_calls: [call('chart', {})] });

  expect(messages.slice(1)).toEqual([
    { role: 'tool', tool_name: 'chart', content: 'A chart.' },
    { role: 'user', content: 'Images of the result of chart.', images: ['aGk='] },
  ]);
});

test('texts stand in the places of files', async () => {
  const { messages } = await answer({ tool_calls: [call('attach', {})] });

  expect(messages.at(-1)?.content.split('\n')).toEqual(
    [
      "The result has a file that can't be shown here: file:///tmp/a_b.pdf, application/pdf, 4 bytes.",
      "The result has a file that can't be shown here: rows.csv, text/csv; charset=utf-8, 3 bytes.",
      ...attachTexts,
    ].flatMap((text) => `On attach: ${text}`.split('\n')),
  );
});

test('an answer without calls goes back, and the loop ends', async () => {
  const messages = [{ role: 'assistant', content: 'Hi.' }];
  expect(await answer({ content: 'Hi.' })).toEqual({ outcomes: [], messages });
});
