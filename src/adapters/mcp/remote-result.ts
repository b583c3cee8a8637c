// What does a server's answer say? Text for the model, images, data, and for the application the answer as it came. And is it what
// its server has declared?
import type { CallToolResult, ContentBlock, ImageContent } from '@modelcontextprotocol/client';
import { contractFromSchema } from '../../contract/contract-from-schema.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { ToolFailure } from '../../errors/tool-signals.ts';
import { isImage, ToolResult } from '../../execute/results/tool-result.ts';
import { harmless } from '../../issues/excerpt.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { writeJson } from '../../json/write-json.ts';
import { judgeOf } from '../../validate/judge-of.ts';

/** Throws a ToolFailure for an answer that says it is an error. */
export function resultOf(answer: CallToolResult, name: string): ToolResult {
  const { content, structuredContent, isError } = answer;
  const images = content.filter((block) => block.type === 'image').filter(isShowable);
  const texts = content.flatMap((block) => textOf(block) ?? []);
  if (isError === true) throw new ToolFailure(errorText(texts, structuredContent, name), { cause: answer });
  const text = texts.join('\n');
  const said =
    structuredContent === undefined
      ? ToolResult.of(texts.length === 0 ? undefined : text)
      : ToolResult.of(structuredContent);
  const shown = structuredContent === undefined || texts.length === 0 ? said : said.text(text);
  return images.reduce((result, { data, mimeType }) => result.image(data, mimeType), shown).artifact(answer);
}

/** An error is read at once, not in parts. */
const longestError = 10_000;

/** Some servers say what went wrong as data alone. */
function errorText(texts: readonly string[], structured: unknown, name: string): string {
  const words = texts.join('\n');
  const text = words.trim() === '' && structured !== undefined ? JSON.stringify(structured) : words;
  if (text.trim() === '') return `${name} failed, and its server does not say why.`;
  return text.length > longestError
    ? `${text.slice(0, longestError).toWellFormed()}… (${text.length - longestError} more characters are left out)`
    : text;
}

const isShowable = ({ data, mimeType }: ImageContent): boolean => isImage(data, mimeType);

/** undefined for images that are shown as such. */
function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'image')
    return isShowable(block) ? undefined : `[image, ${harmless(block.mimeType)}, which can't be shown]`;
  if (block.type === 'audio') return `[audio, ${harmless(block.mimeType)}, which can't be shown]`;
  if (block.type === 'resource_link') {
    const { uri, title, name, description } = block;
    return [title ?? name, uri, description].filter((part) => part !== undefined).join('\n');
  }
  const { resource } = block;
  return 'text' in resource
    ? `${resource.uri}\n${resource.text}`
    : `[resource ${harmless(resource.uri)}, ${harmless(resource.mimeType ?? 'binary')}, which can't be shown]`;
}

/** `structured`: undefined where the answer has none. */
export type OutputCheck = (structured: unknown) => boolean;

/** Compiled when it is first asked. A schema that nobody can judge by, or of no object, allows anything. */
export function outputCheckOf(outputSchema: SchemaObject | undefined): OutputCheck {
  let accepts: OutputCheck | undefined;
  return (structured) => {
    accepts ??= outputSchema === undefined ? acceptAll : compiled(outputSchema);
    return accepts(structured);
  };
}

const acceptAll: OutputCheck = () => true;

function compiled(outputSchema: SchemaObject): OutputCheck {
  try {
    const strict = { paths: 'off', spellings: false } as const;
    const judge = judgeOf(contractFromSchema({ inputSchema: outputSchema, strict }));
    return (structured) => structured !== undefined && judge.accepts(writeJson(structured).value);
  } catch (error) {
    if (error instanceof DefinitionError) return acceptAll;
    throw error;
  }
}
