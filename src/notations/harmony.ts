import { type Notation, type NotationForm, nameGroup } from './notation.ts';

const name = 'to=(?!user\\b)(?<name>[\\w.-]{1,128})';
const channel = '(?:<\\|channel\\|>\\s{0,8})?(?:commentary|analysis)?';
const head = `(?:assistant)?\\s{0,8}${channel}\\s{0,8}${name}\\s{0,8}${channel}\\s{0,8}(?:<\\|constrain\\|>)?\\s{0,8}(?:json|code)?\\s{0,8}(?:<\\|message\\|>|(?=\\{))`;

/**
 * OpenAI's harmony, which gpt-oss writes (`chat_template.jinja`, and the openai/harmony guide): the
 * recipient comes after or before the channel.
 */
export const harmony: Notation = {
  id: 'harmony',
  begins: [
    '(?:<\\|start\\|>assistant\\s{0,8})?(?:<\\|channel\\|>(?:commentary|analysis)\\s{1,8})?to=functions\\.',
    '(?:<\\|start\\|>assistant)?<\\|channel\\|>(?:commentary|analysis) to=',
    // Servers may have left out the tokens.
    '(?:assistant)?(?:commentary|analysis) to=functions\\.',
  ].join('|'),
  // Before the channel or after it.
  names: [
    `(?:<\\|(?:start|channel)\\|>[^]*?\\bto=(?:functions\\.)?|\\bto=functions\\.)${nameGroup}`,
  ],
  forms: [{ head, arguments: 'json' }],
};

export const harmonyForm: NotationForm = {
  models: 'gpt-oss',
  form: '`<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>`, also with `to=` before the channel',
  notExpressed: 'nothing',
  write: ({ name: tool, arguments: values }) =>
    `<|start|>assistant<|channel|>commentary to=functions.${tool} <|constrain|>json<|message|>${JSON.stringify(values)}<|call|>`,
};
