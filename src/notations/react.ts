import { matchAt } from '../json/tokens.ts';
import { jsonBody } from './json-body.ts';
import {
  type Notation,
  type NotationForm,
  namePattern,
  refusedCall,
  skipped,
  nameGroup,
} from './notation.ts';

const action = new RegExp(
  `Action:[ \\t]{0,8}["'\`]?(${namePattern})["'\`]?[ \\t]{0,8}\\r?\\n\\s{0,8}Action Input:[ \\t]{0,8}`,
  'y',
);
const thought = /(?:Thought|Question):/y;
/** The stop word. A model that isn't stopped there goes on with an invented result. */
const observation = /\n[ \t]*Observation:\s*$/;
const more = /^[ \t]*(?:Action(?: Input)?|Observation):/m;

/** ReAct, as LangChain's, LlamaIndex's and Qwen-Agent's prompts have it. */
export const react: Notation = {
  id: 'react',
  begins: '(?<=^|\\n)[ \\t]{0,8}Action:',
  names: [`\\bAction:[ \\t]*${nameGroup}\\s*\\n\\s*Action Input:`],
  readAt(source) {
    const { text, at, extent, until } = source;
    // Only a thought may come before the action.
    const start = matchAt(thought, text, at) === null ? at : text.indexOf('\nAction:', at) + 1;
    const name = matchAt(action, text, start)?.[1];
    if (name === undefined) return skipped;
    if (extent === 'part') return jsonBody(source, action.lastIndex, name);
    const body = text.slice(action.lastIndex, until).replace(observation, '');
    if (more.test(body)) return refusedCall;
    const read = jsonBody(
      { ...source, until: action.lastIndex + body.length },
      action.lastIndex,
      name,
    );
    return read.kind === 'calls' ? { ...read, end: until } : read;
  },
};

export const reactForm: NotationForm = {
  models: 'any model prompted with ReAct',
  form: '`Action: NAME` and `Action Input: {…}` on two lines, a `Thought:` before them or not',
  notExpressed: 'nothing',
  write: ({ name, arguments: sent }) => `Action: ${name}\nAction Input: ${JSON.stringify(sent)}`,
};
