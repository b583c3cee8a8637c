// What is special about Gemini. What it has in common with other APIs is in turns.test.ts.
import { FinishReason, type GenerateContentResponse, type Part } from '@google/genai';
import { ToolRegistry } from 'toolmend';
import { ContentCollector, googleContents, type GoogleOptions } from 'toolmend/google';
import { attachTexts, resultTools } from '../sample-results.ts';

const response = (parts: Part[], rest: object = {}) =>
  ({ candidates: [{ content: { role: 'model', parts }, ...rest }] }) as GenerateContentResponse;

const answer = (parts: Part[], rest: object = {}, options: GoogleOptions = {}) =>
  googleContents(resultTools(), options).answer(response(parts, rest));

test('a thought signature stays with its call, and a call without an id gets none in the conversation', async () => {
  const { contents } = await answer([
    { text: 'Let me see.', thought: true },
    {
      functionCall: { name: 'search', args: { query: 'a', limit: '5' } },
      thoughtSignature: 'c2ln',
    },
    { functionCall: { name: 'search', args: { query: 'b' } } },
  ]);

  expect(contents).toEqual([
    {
      role: 'model',
      parts: [
        { text: 'Let me see.', thought: true },
        {
          functionCall: { name: 'search', args: { query: 'a', limit: 5 } },
          thoughtSignature: 'c2ln',
        },
        { functionCall: { name: 'search', args: { query: 'b' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'search', response: { output: 'found a' } } },
        { functionResponse: { name: 'search', response: { output: 'found b' } } },
      ],
    },
  ]);
});

test('a stream keeps thoughts, their signatures and the order of the parts', async () => {
  const collector = new ContentCollector();
  const chunks: Part[][] = [
    [{ text: 'Let me ', thought: true }],
    [{ text: 'see.', thought: true }],
    [{ text: 'I se' }],
    [{ text: 'arch.' }],
    [
      {
        functionCall: { id: 'f1', name: 'search', args: { query: 'a' } },
        thoughtSignature: 'c2ln',
      },
    ],
    [{ text: '', thoughtSignature: 'ZW5k' }],
  ];
  for (const parts of chunks) collector.add(response(parts));
  const { contents, outcomes } = await googleContents(resultTools()).answer(collector);

  expect(outcomes).toMatchObject([{ status: 'completed', call: { id: 'f1' } }]);
  expect(contents[0]?.parts).toEqual([
    { text: 'Let me see.', thought: true },
    { text: 'I search.' },
    { functionCall: { id: 'f1', name: 'search', args: { query: 'a' } }, thoughtSignature: 'c2ln' },
    { text: '', thoughtSignature: 'ZW5k' },
  ]);
  expect(contents[1]?.parts).toEqual([
    { functionResponse: { id: 'f1', name: 'search', response: { output: 'found a' } } },
  ]);
});

test('images stand behind the function responses, or inside them', async () => {
  const parts = [{ functionCall: { name: 'chart' } }];
  const image = { inlineData: { data: 'aGk=', mimeType: 'image/png' } };
  const functionResponse = { name: 'chart', response: { output: 'A chart.' } };

  expect((await answer(parts)).contents[1]?.parts).toEqual([
    { functionResponse },
    { text: 'Images of the result of chart:' },
    image,
  ]);
  expect((await answer(parts, {}, { images: 'inside' })).contents[1]?.parts).toEqual([
    { functionResponse: { ...functionResponse, parts: [image] } },
  ]);
});

test('files stand behind the function responses; PDF and plain text may stand inside them', async () => {
  const parts = [{ functionCall: { name: 'attach' } }];
  const pdf = { inlineData: { data: 'JVBERg==', mimeType: 'application/pdf' } };
  const rows = { inlineData: { data: 'YSxi', mimeType: 'text/csv; charset=utf-8' } };
  const functionResponse = {
    name: 'attach',
    response: { output: 'See the files.', notes: attachTexts },
  };
  const title = { text: 'Files of the result of attach:' };

  expect((await answer(parts)).contents[1]?.parts).toEqual([
    { functionResponse },
    title,
    pdf,
    rows,
  ]);
  expect((await answer(parts, {}, { images: 'inside' })).contents[1]?.parts).toEqual([
    { functionResponse: { ...functionResponse, parts: [pdf] } },
    title,
    rows,
  ]);
});

describe('a call that the provider could not read', () => {
  const malformed = (finishMessage: string | undefined) =>
    answer([], { finishReason: FinishReason.MALFORMED_FUNCTION_CALL, finishMessage });

  test('is read from the text of the finish message, and runs', async () => {
    const turn = await malformed(
      "Malformed function call: print(default_api.search(query='a', limit='5'))",
    );

    expect(turn.malformed).toBeUndefined();
    expect(turn.outcomes).toMatchObject([{ status: 'completed', result: 'found a' }]);
    expect(turn.contents).toEqual([
      {
        role: 'model',
        parts: [{ functionCall: { name: 'search', args: { query: 'a', limit: 5 } } }],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'search', response: { output: 'found a' } } }],
      },
    ]);
  });

  const unreadable = [
    'print(default_api.search(query="a',
    'import os\nsearch(query="a")',
    '',
    undefined,
  ];

  test.each(unreadable)('is asked for again if it cannot be read: %j', async (text) => {
    const turn = await malformed(text);

    expect(turn.outcomes).toEqual([]);
    expect(turn.malformed).toBe(text ?? '');
    const again =
      'Your function call was malformed and was not executed. Send the whole call again.';
    expect(turn.contents).toEqual([{ role: 'user', parts: [{ text: again }] }]);
  });

  test('is among the calls of an answer', () => {
    const rest = { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: "search(query='a')" };
    expect(googleContents(resultTools()).calls(response([], rest))).toMatchObject([
      { name: 'search', arguments: '{"query":"a"}', provider: 'gemini' },
    ]);
  });
});

test('parts of arguments are refused: they are not calls', async () => {
  const part = {
    functionCall: { name: 'search', willContinue: true, partialArgs: [{ jsonPath: '$.query' }] },
  };
  await expect(answer([part])).rejects.toThrow(/leave out streamFunctionCallArguments/);
});

test('the tools of a request', () => {
  const { tools } = googleContents(resultTools());
  expect(tools).toHaveLength(1);
  expect(tools[0]?.functionDeclarations[1]).toMatchObject({
    name: 'search',
    parametersJsonSchema: { properties: { limit: { type: 'integer' } } },
  });
  expect(
    googleContents(resultTools(), { openApi: true }).tools[0]?.functionDeclarations[1],
  ).toMatchObject({
    parameters: { properties: { limit: { type: 'INTEGER' } } },
  });
  expect(googleContents(new ToolRegistry()).tools).toEqual([]);
});
