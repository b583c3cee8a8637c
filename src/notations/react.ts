import { type Notation, type NotationForm, nameGroup, namePattern } from './notation.ts';

const thought =
  '(?<thought>(?:Thought|Question):(?:(?!\\n\\s*(?:Action|Observation):)[^]){0,4096}\\n\\s{0,8})?';

/** Prompts have titles for tools: `Create Draft`. */
const namesWithBlanks = `${namePattern}(?:[ ][\\w.:/-]{1,64}){0,6}`;

/**
 * ReAct, as LangChain's, LlamaIndex's and Qwen-Agent's prompts have it. Command R
 * (`tokenizer_config.json`, template `tool_use`) writes a list of call objects in a fence instead
 * of a name.
 */
export const react: Notation = {
  id: 'react',
  beginsBare: '(?<=(?:^|\\n)[ \\t]{0,8})(?:Action|Tool):',
  introduction: 'Thought:',
  names: [`\\bAction:[ \\t]*${nameGroup}\\s*\\n\\s*Action Input:`],
  forms: [
    {
      // Only a thought may come before the action.
      head: `${thought}Action:[ \\t]{0,8}["'\`]?(?<name>${namesWithBlanks})["'\`]?[ \\t]{0,8}\\r?\\n\\s{0,8}Action Input:[ \\t]{0,8}\\r?\\n?`,
      arguments: 'action_input',
    },
    // The same in other words.
    {
      head: `${thought}Tool:[ \\t]{0,8}["'\`]?(?<name>${namePattern})["'\`]?[ \\t]{0,8}\\r?\\n\\s{0,8}(?:Tool )?(?:Arguments|Args|Input|Parameters):[ \\t]{0,8}(?:\\r?\\n)?(?=\\s{0,8}\\{)`,
      needs: 'tool',
      arguments: 'json',
    },
    // The form of the paper, `Search[entity]`, for a tool with one parameter.
    {
      head: `${thought}Action:[ \\t]{0,8}(?<name>${namePattern})(?=\\[)`,
      needs: 'tool',
      arguments: 'bracketed',
    },
    // Call objects, as smolagents and LangChain's chat agents ask for them.
    {
      head: `${thought}Action:[ \\t]{0,8}\\r?\\n?(?=(?:\`{3}(?:json)?)?\\s{0,8}[[{])`,
      arguments: 'fenced',
    },
    {
      head: `${thought}Action:[ \\t]{0,8}(?=[A-Za-z_][\\w.]{0,127}\\s{0,8}\\()`,
      arguments: 'python',
    },
  ],
};

export const reactForm: NotationForm = {
  models: 'any model prompted with ReAct; Command R',
  form: '`Action: NAME` and `Action Input: {…}` on two lines, a `Thought:` before them or not; `Action:` and a fenced list of calls',
  notExpressed: 'nothing',
  write: ({ name, arguments: values }) =>
    `Action: ${name}\nAction Input: ${JSON.stringify(values)}`,
};
