import { type OptionKinds, boolean, oneOfWords } from '../../options/check-options.ts';

/** The options of `chatCompletions` and `responses`. */
export interface OpenAiOptions {
  /**
   * Strict mode: the provider makes the model follow the schema. Every argument is required there,
   * with null for an omitted one. Default: false.
   */
  readonly strict?: boolean;
  /**
   * Where notes about a result go. `parts`: each in a text part of the same message. `message`: in
   * a user message after all results, for servers that only take text as a result. Default:
   * `parts`.
   */
  readonly notes?: 'parts' | 'message';
  /**
   * Tools of `textTool` are OpenAI's custom tools, with their grammars. Compatible servers may not
   * have them. Default: false, they are functions with one argument.
   */
  readonly customTools?: boolean;
}

export const openAiOptionKinds: OptionKinds<OpenAiOptions> = {
  strict: boolean,
  notes: oneOfWords('parts', 'message'),
  customTools: boolean,
};
