import { foldKey } from '../json/value.ts';

// Each family of models has its own way of naming one.
const name = '([\\w.-]+)';

const namings: readonly RegExp[] = [
  `<(?:[\\w-]+:|[|｜]DSML[|｜])?(?:function=|(?:invoke|function|tool|tool_call|tool_use)\\s+name="|(?:tool_)?name>\\s*)${name}`,
  // GLM
  `^\\s*<tool_call>\\s*${name}\\s*<arg_key>`,
  // harmony: in front of the channel or behind it
  `(?:<\\|(?:start|channel)\\|>[^]*?\\bto=(?:functions\\.)?|\\bto=functions\\.)${name}`,
  // Kimi
  `(?:^\\s*functions\\.|<\\|tool_call_begin\\|>\\s*(?:functions\\.)?)${name}:\\d+`,
  // ReAct
  `\\bAction:[ \\t]*${name}\\s*\\n\\s*Action Input:`,
  // a call as programs write it
  `${name}\\(\\s*$`,
  // DeepSeek
  `<[|｜]tool▁call▁begin[|｜]>function<[|｜]tool▁sep[|｜]>${name}`,
  `<[|｜]tool▁call▁begin[|｜]>(?!function<)${name}<[|｜]tool▁sep[|｜]>`,
  // Mistral
  `\\[TOOL_CALLS\\]${name}`,
  `${name}\\[(?:CALL_ID|ARGS)\\]`,
  // functionary
  `(?:^\\s*>>>|<\\|recipient\\|>)\\s*${name}`,
].map((source) => new RegExp(source, 'u'));

/** Looks at the markup in front of the arguments only: what stands inside them is data. */
export function namesAnotherTool(text: string, toolName: string | undefined): boolean {
  if (toolName === undefined) return false;
  const markup = text.slice(0, 1024).split(/\{|<parameter|<arg_value/)[0] ?? '';
  const named = namings.map((naming) => naming.exec(markup)?.[1]).find((found) => found !== undefined);
  return named !== undefined && foldKey(named) !== foldKey(toolName);
}
