import { matchAt } from '../json/tokens.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { behindBlanks } from './json-body.ts';
import { type Notation, type NotationForm, oneCall, refusedCall, skipped } from './notation.ts';

const head =
  /\{\s{0,64}(["'])name\1\s{0,64}:\s{0,64}(["'])([^"'\\]{1,128})\2\s{0,64},\s{0,64}(?=\{)/y;
const maxDepth = 62;

/**
 * A call envelope that lost the key of its arguments, as small models write it. It is in no chat
 * template.
 */
export const keylessEnvelope: Notation = {
  id: 'keyless_envelope',
  readAt({ text, at }) {
    const name = matchAt(head, text, at)?.[3];
    if (name === undefined) return skipped;
    const start = head.lastIndex;
    const inner = readJsonPrefix(text, start, 'loose', maxDepth);
    if (inner.kind === 'unreadable') return refusedCall;
    const end = behindBlanks(text, inner.end);
    if (text.charAt(end) !== '}') return refusedCall;
    return oneCall(end + 1, name, text.slice(start, end));
  },
};

export const keylessEnvelopeForm: NotationForm = {
  models: 'small models',
  form: '`{"name": "NAME", {…}}`, only with this tool’s name',
  notExpressed: 'nothing',
  write: ({ name, arguments: sent }) =>
    `{"name": ${JSON.stringify(name)}, ${JSON.stringify(sent)}}`,
};
