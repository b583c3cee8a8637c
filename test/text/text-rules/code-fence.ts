import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const fence = '```';
const a = { body: 'a' };

testTextRule('code_fence', {
  schema: objectOf({ body: text }, ['body']),
  untouched: [
    {
      title: 'a fence inside a value',
      text: JSON.stringify({ body: `${fence}json\n{}\n${fence}` }),
    },
  ],
  repaired: [
    { title: 'with a language', text: `${fence}json\n{"body": "a"}\n${fence}`, becomes: a },
    { title: 'without one', text: `${fence}\n{"body": "a"}\n${fence}\n`, becomes: a },
    { title: 'of waves', text: '~~~json\n{"body": "a"}\n~~~', becomes: a },
    {
      title: 'of four',
      text: `${fence}\`json\n{"body": "${fence}"}\n${fence}\``,
      becomes: { body: fence },
    },
    {
      title: 'one in a value',
      text: `${fence}json\n{"body": "x\\n${fence}\\ny"}\n${fence}`,
      becomes: { body: `x\n${fence}\ny` },
    },
    {
      title: 'encoded',
      text: `\n${fence}\n"{\\"body\\": \\"a\\"}"\n${fence} `,
      becomes: a,
      rules: ['code_fence', 'double_encoded'],
    },
    {
      title: 'among words',
      text: `The call\n${fence}json\n{"body": "a"}\n${fence}, as you asked`,
      becomes: a,
    },
    {
      title: 'on one line',
      text: `${fence}json {"body": "a"} ${fence}`,
      becomes: a,
    },
    {
      title: 'whose object begins on the line of the language',
      text: `${fence}json {\n  "body": "a"\n}\n${fence}`,
      becomes: a,
    },
    {
      title: 'on one line, of broken JSON',
      text: `${fence}json { 'body': 'a' }${fence}`,
      becomes: a,
      rules: ['code_fence', 'loose_json'],
    },
    {
      title: 'at the end of a sentence',
      text: `Here is the call: ${fence}json {"body": "a"} ${fence}`,
      becomes: a,
    },
    {
      title: 'words inside',
      text: `${fence}\nSo: {"body": "a"}\n${fence}`,
      becomes: a,
      rules: 'surrounding_text',
    },
    {
      title: 'a list among words',
      text: `So:\n${fence}\n[{"body": "a"}]\n${fence}, ok`,
      becomes: a,
      rules: 'surrounding_text',
    },
  ],
  refused: [
    { title: 'a fence of two', text: '``\n{"body": "{"}{\n``' },
    { title: 'a fence that ends otherwise', text: `${fence}\n{"body": "a"}\n~~~ {` },
    { title: 'a fence of four that ends with three', text: `\`${fence}\n{"body": "{"}{\n${fence}` },
    { title: 'words behind the language', text: `${fence}json or so {\n{"body": "a"}\n${fence}` },
    {
      title: 'a fence inside a sentence',
      text: `The form ${fence}json {"body": "a"} ${fence} is it`,
    },
    { title: 'an example on one line', text: `Example: ${fence}json {"body": "a"} ${fence}` },
    { title: 'words before the fence', text: `See {a}:\n${fence}\n{"body": "a"}\n${fence}` },
    {
      title: 'two blocks',
      text: `${fence}\n{"body": "a"}\n${fence}\n${fence}\n{"body": "b"}\n${fence}`,
    },
  ],
});
