import { type Notation, type NotationForm, lineStart, nameGroup, namePattern } from './notation.ts';

const separator = '<[|｜]tool[▁_ ]sep[|｜]>';

/**
 * DeepSeek V3.1 (`<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`), and V3, R1 and their
 * distillations, which write `function<｜tool▁sep｜>NAME` and the arguments in a fence
 * (`tokenizer_config.json`).
 */
export const deepseek: Notation = {
  id: 'deepseek',
  begins: `<[|｜]tool[▁_]calls?[▁_]begin[|｜]>|${lineStart}[\\w.:-]{1,128}${separator}`,
  names: [
    `<[|｜]tool▁call▁begin[|｜]>function<[|｜]tool▁sep[|｜]>${nameGroup}`,
    `<[|｜]tool▁call▁begin[|｜]>(?!function<)${nameGroup}<[|｜]tool▁sep[|｜]>`,
  ],
  forms: [
    { head: `function${separator}\\s{0,8}(?<name>${namePattern})\\s{0,16}`, arguments: 'fenced' },
    { head: `(?<name>${namePattern})${separator}\\s{0,16}`, arguments: 'fenced' },
  ],
};

export const deepseekForm: NotationForm = {
  models: 'DeepSeek V3, V3.1, R1',
  form: '`<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, `function<｜tool▁sep｜>NAME` and a fenced object',
  notExpressed: 'nothing',
  write: ({ name, arguments: values }) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(values)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
};
