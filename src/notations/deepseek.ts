import { matchAt } from '../json/tokens.ts';
import { behindBlanks, jsonBody } from './json-body.ts';
import {
  type Notation,
  type NotationForm,
  type NotationReading,
  namePattern,
  refusedCall,
  skipped,
  unfinished,
  nameGroup,
} from './notation.ts';

const separator = '<[|｜]tool[▁_ ]sep[|｜]>';
const typed = new RegExp(`function${separator}(${namePattern})\\s{0,8}`, 'y');
const plain = new RegExp(`(${namePattern})${separator}`, 'y');
const fence = /`{3}(?:json)?\s{0,8}/y;
const fenceEnd = /\s*`{3}/y;

/**
 * DeepSeek V3.1 (`<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`), and V3, R1 and their
 * distillations, which write `function<｜tool▁sep｜>NAME` and the arguments in a fence
 * (`tokenizer_config.json`).
 */
export const deepseek: Notation = {
  id: 'deepseek',
  begins: '<[|｜]tool▁calls?▁begin[|｜]>',
  names: [
    `<[|｜]tool▁call▁begin[|｜]>function<[|｜]tool▁sep[|｜]>${nameGroup}`,
    `<[|｜]tool▁call▁begin[|｜]>(?!function<)${nameGroup}<[|｜]tool▁sep[|｜]>`,
  ],
  tokens: [[/tool▁call▁begin/, /tool▁call▁end/]],
  readAt(source) {
    const { text, at, extent, until } = source;
    for (const head of [typed, plain]) {
      const name = matchAt(head, text, at)?.[1];
      if (name === undefined) continue;
      const start = behindBlanks(text, head.lastIndex);
      if (matchAt(fence, text, start) === null) return jsonBody(source, start, name);
      const from = fence.lastIndex;
      if (extent === 'part') return behindFence(text, jsonBody(source, from, name));
      const isClosed = text.startsWith('```', until - 3);
      return jsonBody({ ...source, until: isClosed ? until - 3 : until }, from, name);
    }
    return skipped;
  },
};

export const deepseekForm: NotationForm = {
  models: 'DeepSeek V3, V3.1, R1',
  form: '`<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, `function<｜tool▁sep｜>NAME` and a fenced object',
  notExpressed: 'nothing',
  write: ({ name, arguments: sent }) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(sent)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
};

function behindFence(text: string, body: NotationReading): NotationReading {
  if (body.kind !== 'calls') return body;
  if (matchAt(fenceEnd, text, body.end) !== null) return { ...body, end: fenceEnd.lastIndex };
  return '```'.startsWith(text.slice(body.end).trim()) ? unfinished : refusedCall;
}
