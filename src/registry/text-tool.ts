// Tools whose only argument is a text.
import type { JsonObject } from '../json/value.ts';
import {
  type OptionKinds,
  checkOptions,
  object,
  oneOfWords,
  required,
  string,
} from '../options/check-options.ts';
import type { ToolContext } from '../run/tool-context.ts';
import type { TextGrammar } from '../tool/tool-contract.ts';
import { type DefinedTool, type ToolDefinition, defineTool } from './define-tool.ts';

/** What `textTool` takes. */
export interface TextToolDefinition<
  Meta extends object = ToolContext['meta'],
  Result = unknown,
> extends Omit<
  ToolDefinition<JsonObject, Meta, Result>,
  'inputSchema' | 'toJsonSchema' | 'execute'
> {
  /** The name of the argument, for providers that show a function. Default: `input`. */
  readonly argument?: string;
  /**
   * What the text must be, for servers that keep a model to a grammar. Others don't check it.
   * Default: any text.
   */
  readonly grammar?: TextGrammar;
  /** Receives the text as the model wrote it. */
  execute(text: string, context: ToolContext<Meta>): Result;
}

type OwnOptions = Pick<TextToolDefinition, 'argument' | 'grammar'>;

const ownKinds: OptionKinds<OwnOptions> = {
  argument: string,
  grammar: object(
    { syntax: required(oneOfWords('lark', 'regex')), definition: required(string) },
    "write { syntax: 'lark', definition: '…' } or { syntax: 'regex', definition: '…' }",
  ),
};

/**
 * Makes a tool whose only argument is a text, such as a patch, code or a query, which repair never
 * changes. With `customTools: true`, `responses` and `chatCompletions` show it as one of OpenAI's
 * custom tools, whose calls are text without JSON; every other provider gets a function with one
 * argument. Throws a DefinitionError with every problem of the definition.
 */
export function textTool<Meta extends object = ToolContext['meta'], Result = unknown>(
  definition: TextToolDefinition<Meta, Result>,
): DefinedTool<Result> {
  const { argument = 'input', grammar, ...options } = definition;
  checkOptions('textTool', { argument, ...(grammar === undefined ? {} : { grammar }) }, ownKinds);
  const contract = defineTool<JsonObject, Meta, Result>({
    ...options,
    inputSchema: {
      type: 'object',
      properties: { [argument]: { type: 'string', 'x-toolmend': { verbatim: true } } },
      required: [argument],
      additionalProperties: false,
    },
    execute(values, context) {
      const text = values[argument];
      return definition.execute(typeof text === 'string' ? text : '', context);
    },
  });
  return Object.freeze({
    ...contract,
    text: Object.freeze({ argument, ...(grammar === undefined ? {} : { grammar }) }),
  });
}
