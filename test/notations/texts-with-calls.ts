// Texts with calls in every notation, whole and broken, among other text.
import { notations, writeCall } from 'toolmend/testing';
import { fc } from '../seeded-fast-check.ts';

/** What texts with calls are made of, whole and broken. */
export const calls = notations.flatMap((notation) => {
  const whole = ['search', 'other', 'get_weather'].map(
    (name) => writeCall(notation, { name, arguments: { q: 'a "b" <c>\n```' } }) ?? '',
  );
  const withClosers = (closers: string) =>
    whole.map((text) => text.replace(/\}(?=[^}]*$)/, closers));
  return [
    ...whole,
    ...whole.map((text) => text.slice(0, Math.floor(text.length / 2))),
    ...withClosers(''),
    ...withClosers('}}'),
  ];
});
/** Parts of texts, set apart by `¦`. `⏎`: a line break. */
export const prose =
  `Let me look.¦Sure!⏎⏎I'll search.⏎¦Thought: I look⏎¦assistant⏎¦Let me look:⏎¦The page says:⏎¦⏎<plan>¦\
</plan>¦ and ¦⏎¦⏎⏎¦\`\`\`⏎¦\`\`\`¦~~~⏎¦\`¦\`\`¦> ¦- ¦<think>¦</think>¦<tool_response>¦</tool_response>¦<!--¦-->¦\
{"a": "¦"}¦[¦]¦{¦}¦<¦<|¦|>¦<tool_call>¦</tool_call>¦For example: ¦[TOOL_CALLS]¦Action: search⏎¦functools¦\
to=functions.¦commentary to=functions.search json¦assistant¦search⏎¦<function=search¦<tools>¦</tools>¦\
<tool_code>¦<search>¦</search>¦search(¦)¦"¦。¦e.g. ¦\
${' '.repeat(70)}`
    .split('¦')
    .map((part) => part.replaceAll('⏎', '\n'));
export const textWithCalls = fc
  .array(
    fc.oneof(fc.constantFrom(...calls), fc.constantFrom(...prose), fc.string({ maxLength: 5 })),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
