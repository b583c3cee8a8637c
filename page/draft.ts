// What is tried: a schema and a call, as text. A link has it in its fragment, which browsers don't
// send to the server.
import type { ReportedCall } from '../src/cli/reported-calls.ts';
import type { CallDetail } from '../src/page/page-data.ts';
import type { Effects } from '../src/tool/tool-contract.ts';

export interface Draft {
  /** The tool's name. Empty: that of the definition, or none. */
  readonly tool: string;
  /** A JSON Schema, or the definition of a tool with one. */
  readonly schema: string;
  /** Argument text, or an answer with a call in it. */
  readonly call: string;
  /** Empty: unknown. */
  readonly finishReason: string;
  /** Empty: those of the definition, or unknown. */
  readonly effects: Effects | '';
  /** How `call` is read. Empty: as what it looks like. */
  readonly form: CallForm | '';
}

export type CallForm = 'arguments' | 'answer';

const indented = (value: object): string => JSON.stringify(value, undefined, 2);

export const draftOfReport = ({ tool, schema, text }: ReportedCall): Draft => ({
  tool,
  schema: indented(schema),
  call: text,
  finishReason: '',
  effects: '',
  form: '',
});

/** Undefined for a call of which the schema is not recorded. */
export function draftOfCall(detail: CallDetail): Draft | undefined {
  const { call, schema, sent = '', finishReason = '', effects = '' } = detail;
  if (schema === undefined) return undefined;
  return { tool: call.tool, schema: indented(schema), call: sent, finishReason, effects, form: '' };
}

/** The address of a page that shows the draft. */
export async function draftLink(draft: Draft, page: string): Promise<string> {
  const text = new Blob([JSON.stringify(draft)]).stream();
  const packed = new Response(text.pipeThrough(new CompressionStream('deflate-raw')));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return new URL(`#/try?draft=${code}`, page).href;
}

/** The draft in the fragment of an address; undefined if there is none that can be read. */
export async function linkedDraft(fragment: string): Promise<Draft | undefined> {
  const code = new URLSearchParams(fragment.split('?')[1]).get('draft');
  if (code === null) return undefined;
  try {
    const packed = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(packed, (sign) => sign.charCodeAt(0));
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return draftIn(JSON.parse(await beginning(text)));
  } catch {
    return undefined;
  }
}

/** A short link may unpack to more than a browser can show. */
const longest = 4_000_000;

async function beginning(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > longest) throw new Error('The draft is too long.');
  }
}

function draftIn(value: unknown): Draft | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const texts: Readonly<Record<string, unknown>> = { ...value };
  const textAt = (key: keyof Draft): string => {
    const text = texts[key];
    return typeof text === 'string' ? text : '';
  };
  return {
    tool: textAt('tool'),
    schema: textAt('schema'),
    call: textAt('call'),
    finishReason: textAt('finishReason'),
    effects: effectsIn(textAt('effects')),
    form: formIn(textAt('form')),
  };
}

export const allEffects: readonly Effects[] = ['read', 'write', 'destructive'];

export const effectsIn = (text: string): Draft['effects'] =>
  allEffects.find((effects) => effects === text) ?? '';

const formIn = (text: string): Draft['form'] =>
  text === 'arguments' || text === 'answer' ? text : '';
