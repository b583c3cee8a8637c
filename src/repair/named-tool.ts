import { isSameName } from './notations/read-notation.ts';

const name = '([\\w.-]+)';

const namings: readonly RegExp[] = [
  `<(?:[\\w-]+:|[|｜]DSML[|｜])?(?:function=|(?:invoke|function|tool|tool_call|tool_use)\\s+name="|(?:tool_)?name>\\s*)${name}`,
  // GLM
  `^\\s*<tool_call>\\s*${name}\\s*<arg_key>`,
  // harmony: before the channel or behind it
  `(?:<\\|(?:start|channel)\\|>[^]*?\\bto=(?:functions\\.)?|\\bto=functions\\.)${name}`,
  // Kimi
  `(?:^\\s*functions\\.|<\\|tool_call_begin\\|>\\s*(?:functions\\.)?)${name}:\\d+`,
  // ReAct
  `\\bAction:[ \\t]*${name}\\s*\\n\\s*Action Input:`,
  // Python
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

/** Whether the markup before the arguments names another tool. */
export function namesAnotherTool(text: string, toolName: string | undefined): boolean {
  if (toolName === undefined) return false;
  const markup = text.slice(0, 1024).split(/\{|<parameter|<arg_value/)[0] ?? '';
  const named = namings.map((naming) => naming.exec(markup)?.[1]).find((found) => found !== undefined);
  return named !== undefined && !isSameName(named, toolName);
}
