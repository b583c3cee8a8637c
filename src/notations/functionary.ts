import { type Notation, type NotationForm, nameGroup } from './notation.ts';

/** The name is on a line of its own. */
const name = '(?<name>[A-Za-z_][\\w.-]{0,127})';

/**
 * Functionary 3.2 (`prompt_template_v3.py`): `>>>NAME`, and the arguments on the next line. Version
 * 2 (`prompt_template_v2.py`) has tokens before both.
 */
export const functionary: Notation = {
  id: 'functionary',
  begins:
    '>>>(?=[A-Za-z_][\\w.-]{0,127}\\r?\\n\\s{0,8}\\{)|(?:<\\|from\\|>assistant\\s{0,8})?<\\|recipient\\|>',
  names: [`(?:(?:^|\\n)\\s*>>>|<\\|recipient\\|>)\\s*${nameGroup}`],
  forms: [
    { head: `>>>${name}\\r?\\n\\s{0,8}(?=\\{)`, arguments: 'json' },
    {
      head: `(?:<\\|from\\|>)?(?:assistant\\s{0,8})?(?:<\\|recipient\\|>\\s{0,8})?${name}\\s{0,8}<\\|content\\|>\\s{0,8}(?=\\{)`,
      arguments: 'json',
    },
  ],
};

export const functionaryForm: NotationForm = {
  models: 'Functionary 2 and 3.2',
  form: '`>>>NAME` on a line before `{…}`, `<|recipient|>NAME`, `<|content|>{…}`',
  notExpressed: 'nothing',
  write: ({ name: tool, arguments: values }) => `>>>${tool}\n${JSON.stringify(values)}`,
};
