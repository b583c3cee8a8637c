import OpenAI from 'openai';
import { chatCompletions } from 'toolmend/openai';
import { pagedTools as tools } from '../sample-results.ts';
import { type Body, startBodyServer } from '../scripted-server.ts';

describe('a request that failed because of a call', () => {
  const groq = (failed_generation: unknown): Body => ({
    status: 400,
    json: {
      error: { message: 'Failed to call a function.', code: 'tool_use_failed', failed_generation },
    },
  });

  async function answered(generation: unknown) {
    const { baseURL } = await startBodyServer(groq(generation));
    const client = new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 });
    const api = chatCompletions(tools);
    const messages = [{ role: 'user' as const, content: 'Go on.' }];
    const asked = { model: 'scripted', messages, tools: api.tools };
    const failure: unknown = await client.chat.completions
      .create(asked)
      .catch((error: unknown) => error);
    return api.answerError(failure);
  }

  test('is answered with the calls in its text', async () => {
    const { messages, outcomes } = await answered(
      '<function=read_files>{"paths": "a.ts"}</function>',
    );
    expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a.ts'] } }]);
    expect(messages).toMatchObject([
      {
        role: 'assistant',
        tool_calls: [{ function: { name: 'read_files', arguments: '{"paths":["a.ts"]}' } }],
      },
      { role: 'tool', content: '{"paths":["a.ts"]}' },
    ]);
  });

  test.each([
    '```\n{"tool_calls": [{"id": "a", "function": {"name": "read_files", "arguments": {"paths": "a.ts"}}}]}\n```',
    '<function=read_files={"paths": "a.ts"}</function>',
  ])('is answered if its text is %j', async (generation) => {
    const { outcomes } = await answered(generation);
    expect(outcomes).toMatchObject([{ status: 'completed', result: { paths: ['a.ts'] } }]);
  });

  test('asks the model for the call again if nothing can read it', async () => {
    const again = { role: 'user', content: expect.stringContaining('Send the whole call again.') };
    expect(await answered('<function=read_files{"paths"')).toEqual({
      outcomes: [],
      malformed: '<function=read_files{"paths"',
      messages: [{ role: 'assistant', content: '<function=read_files{"paths"' }, again],
    });
    expect(await answered(undefined)).toEqual({ outcomes: [], malformed: '', messages: [again] });
  });
});
