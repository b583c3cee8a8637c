import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const fence = '```';

testTextRule('code_fence', {
  schema: objectOf({ body: text }, ['body']),
  untouched: [['a fence inside a value', JSON.stringify({ body: `${fence}json\n{}\n${fence}` })]],
  repaired: [
    ['with a language', `${fence}json\n{"body": "a"}\n${fence}`, { body: 'a' }],
    ['without one', `${fence}\n{"body": "a"}\n${fence}\n`, { body: 'a' }],
    ['of waves', '~~~json\n{"body": "a"}\n~~~', { body: 'a' }],
    ['of four', `${fence}\`json\n{"body": "${fence}"}\n${fence}\``, { body: fence }],
    ['one in a value', `${fence}json\n{"body": "x\\n${fence}\\ny"}\n${fence}`, { body: `x\n${fence}\ny` }],
    [
      'encoded',
      `\n${fence}\n"{\\"body\\": \\"a\\"}"\n${fence} `,
      { body: 'a' },
      'code_fence, double_encoded',
    ],
    ['among words', `The call\n${fence}json\n{"body": "a"}\n${fence}, as you asked`, { body: 'a' }],
    [
      'a list among words',
      `Call:\n${fence}\n[{"body": "a"}]\n${fence}, so`,
      { body: 'a' },
      'surrounding_text',
    ],
  ],
  refused: [
    ['a fence of two', '``\n{"body": "{"}{\n``'],
    ['a fence that ends otherwise', `${fence}\n{"body": "a"}\n~~~ {`],
    ['a fence of four that ends with three', `\`${fence}\n{"body": "{"}{\n${fence}`],
    ['words behind the language', `${fence}json or so {\n{"body": "a"}\n${fence}`],
    ['words before the fence', `See {a}:\n${fence}\n{"body": "a"}\n${fence}`],
    ['two blocks', `${fence}\n{"body": "a"}\n${fence}\n${fence}\n{"body": "b"}\n${fence}`],
  ],
});
