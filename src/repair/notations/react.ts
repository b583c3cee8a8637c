import { matchAt } from '../../json/tokens.ts';
import { jsonBody } from './json-body.ts';
import {
  type Notation,
  type NotationForm,
  longestTag,
  namePattern,
  refusedCall,
  skipped,
  nameGroup,
} from './notation.ts';

const action = new RegExp(
  `Action:[ \\t]{0,8}["'\`]?(${namePattern})["'\`]?[ \\t]{0,8}\\r?\\n\\s{0,8}Action Input:[ \\t]{0,8}`,
  'y',
);
const secondAction = /^[ \t]*(?:Action|Action Input):/m;
/** The stop word. A model that isn't stopped there goes on with an invented result. */
const observation = /\r?\n\s*Observation:\s*$/;
const answer = /^[ \t]*Observation:\s*\S/m;

/** ReAct, as LangChain's, LlamaIndex's and Qwen-Agent's prompts have it. */
export const react: Notation = {
  id: 'react',
  begins: '(?<=^|\\n)[ \\t]{0,8}Action:',
  names: [`\\bAction:[ \\t]*${nameGroup}\\s*\\n\\s*Action Input:`],
  readAt(source) {
    const { text, at, extent, until } = source;
    const start = extent === 'whole' ? actionIn(text, at) : at;
    if (start === undefined) return skipped;
    const name = matchAt(action, text, start)?.[1];
    if (name === undefined) return skipped;
    if (extent === 'part') return jsonBody(source, action.lastIndex, name);
    const body = text.slice(action.lastIndex, until);
    if (secondAction.test(body) || answer.test(body)) return refusedCall;
    const ended = action.lastIndex + body.replace(observation, '').length;
    const read = jsonBody({ ...source, until: ended }, action.lastIndex, name);
    return read.kind === 'calls' ? { ...read, end: until } : read;
  },
};

export const reactForm: NotationForm = {
  models: 'any model prompted with ReAct',
  form: '`Action: NAME` and `Action Input: {…}` on two lines, a `Thought:` before them or not',
  notExpressed: 'nothing',
  write: ({ name, arguments: sent }) => `Action: ${name}\nAction Input: ${JSON.stringify(sent)}`,
};

/** The offset of the first action, if only a thought comes before it. */
function actionIn(text: string, at: number): number | undefined {
  if (text.startsWith('Action:', at)) return at;
  if (!/^(?:Thought|Question):/.test(text.slice(at, at + longestTag))) return undefined;
  const found = text.indexOf('\nAction:', at);
  return found === -1 ? undefined : found + 1;
}
