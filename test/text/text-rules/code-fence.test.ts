import { objectOf, text } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const fence = '```';
const a = { body: 'a' };

testTextRule('code_fence', {
  schema: objectOf({ body: text }, ['body']),
  untouched: [['a fence inside a value', JSON.stringify({ body: `${fence}json\n{}\n${fence}` })]],
  repaired: [
    ['with a language', `${fence}json\n{"body": "a"}\n${fence}`, a],
    ['without one', `${fence}\n{"body": "a"}\n${fence}\n`, a],
    ['of waves', '~~~json\n{"body": "a"}\n~~~', a],
    ['of four', `${fence}\`json\n{"body": "${fence}"}\n${fence}\``, { body: fence }],
    [
      'one in a value',
      `${fence}json\n{"body": "x\\n${fence}\\ny"}\n${fence}`,
      { body: `x\n${fence}\ny` },
    ],
    ['encoded', `\n${fence}\n"{\\"body\\": \\"a\\"}"\n${fence} `, a, 'code_fence, double_encoded'],
    ['among words', `The call\n${fence}json\n{"body": "a"}\n${fence}, as you asked`, a],
    ['words inside', `${fence}\nSo: {"body": "a"}\n${fence}`, a, 'surrounding_text'],
    ['a list among words', `So:\n${fence}\n[{"body": "a"}]\n${fence}, ok`, a, 'surrounding_text'],
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
