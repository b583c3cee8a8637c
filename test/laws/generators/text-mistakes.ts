// What do models and servers make of argument text? Its values are all there, or it is cut.

/** A way to write the JSON of arguments that is no JSON. If it is repaired at all, then to these arguments. */
export interface TextMistake {
  readonly title: string;
  /** undefined where it can't be made. `at`: a number from 0 to 1, for those with a place. */
  make(json: string, at: number): string | undefined;
}

const mistake = (title: string, make: TextMistake['make']): TextMistake => ({ title, make });

/** Where texts have no quotes, backslashes or braces, text can be changed without knowing its tokens. */
const isSimple = (json: string): boolean => !/['\\#/]/.test(json) && !/"[^"]*[{}[\],:][^"]*"/.test(json);

const ifSimple = (make: (json: string) => string) => (json: string) =>
  isSimple(json) ? make(json) : undefined;

const pretty = (json: string): string => JSON.stringify(JSON.parse(json), undefined, 2);

/** Nothing at all would be a call without arguments. */
const cutAt = (json: string, at: number): string => json.slice(0, 1 + Math.floor((json.length - 1) * at));

export const textMistakes: readonly TextMistake[] = [
  mistake('in a fence', (json) => `\`\`\`json\n${pretty(json)}\n\`\`\``),
  mistake('after words', (json) => `Sure, here it is:\n${json}`),
  mistake('with a closing tag', (json) => `${json}</tool_call>`),
  mistake('after reasoning', (json) => `<think>I need the tool.</think>\n\n${json}`),
  mistake(
    'with a comma at the end',
    ifSimple((json) => json.replaceAll(/(?<=[^{[])([}\]])/g, ',$1')),
  ),
  mistake(
    'in single quotes',
    ifSimple((json) => json.replaceAll('"', "'")),
  ),
  mistake(
    'in curly quotes',
    ifSimple((json) => json.replaceAll(/"([^"]*)"/g, '\u201c$1\u201d')),
  ),
  mistake(
    'with escaped quotes',
    ifSimple((json) => json.replaceAll('"', '\\"')),
  ),
  mistake(
    'with Python’s words',
    ifSimple((json) => json.replaceAll(/(?<=[:[,])true(?=[,\]}])/g, 'True')),
  ),
  mistake(
    'with bare keys',
    ifSimple((json) => json.replaceAll(/"([a-z_]\w*)":/gi, '$1:')),
  ),
  mistake('with comments', (json) => `// the arguments\n${pretty(json)} /* all of them */`),
  mistake('encoded twice', (json) => JSON.stringify(json)),
  mistake('in a list', (json) => `[${json}]`),
  mistake('sent twice', (json) => json + json),
  mistake('after an empty object', (json) => `{}${json}`),
  mistake('with raw line breaks', (json) =>
    json.includes('\\\\') ? undefined : json.replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
  ),
  mistake('with a surplus closer', (json) => `${json}}`),
  mistake('without its closers', (json) => json.replace(/[}\]]+$/, '')),
  mistake('cut', (json, at) => cutAt(json, at)),
  mistake('with a byte order mark', (json) => `\u{feff}${json}`),
];

/** What a provider says of the end; a cut text that is said to be whole is beyond anybody's knowledge. */
export const finishReasons = [undefined, 'length', 'stop', 'tool_calls'] as const;
