import {
  type Notation,
  type NotationForm,
  longestTag,
  namePattern,
  nameGroup,
  rawText,
} from './notation.ts';
import { parameterTags } from './parameter-tags.ts';
import {
  anyPrefix,
  jsonWrapper,
  nameElement,
  nameTag,
  tagPrefix,
  tagToken,
} from './wrapping-tags.ts';
import { writeVerbatim } from './written-parameters.ts';

const namedCall = `<(?<element>tool_call|tool|tool_use|function|invoke)\\s+name=(?<quote>["'])(?<name>${namePattern})\\k<quote>[^<>]{0,${longestTag}}>`;
const wrapperTag = `</?(?:args|arguments|parameters|input)(?:\\s[^<>]{0,${longestTag}})?>`;

const wrapperName = '(?:args|arguments|parameters|input)[\\s>]';

/** After a token, a dash may begin a name, too. */
const keyOfElement = '(?:[A-Za-z_]|(?<=\\]<\\]minimax\\[>\\[</?)-)[\\w.-]{0,127}';

/** Parameters as elements that are named by their keys. */
export const elementTags = {
  parameter: `(?<prefix>${tagToken})<(?<key>${keyOfElement})>`,
  parameterEnd: `(?<closingPrefix>${tagToken})</(?<closed>${keyOfElement})(?:>|$)`,
  keysAreTags: true,
} as const;

/** The same below an element around all of them. */
const tagsBelow = {
  parameter: `<(?!${wrapperName})(?<key>[A-Za-z_][\\w.-]{0,127})>`,
  parameterEnd: `</(?!${wrapperName})(?<closed>[A-Za-z_][\\w.-]{0,127})(?:>|$)`,
} as const;

/** Below a tag around the call, whose first element has the tool's name. */
const belowName = {
  end: `</${tagPrefix}${jsonWrapper}(?:>|$)`,
  call: `<${nameTag}>`,
  isNameless: true,
  layout: 'lines',
} as const;

/**
 * Elements named by the tool and its parameters: the form that Cline and Roo Code ask for in their
 * system prompts, and `<tool_call name="NAME"><args>` of prompted small models.
 */
export const elementXml: Notation = {
  id: 'element_xml',
  names: [`<${anyPrefix}(?:tool_)?name>\\s*${nameGroup}`],
  forms: [
    {
      head: `${nameElement}(?=${wrapperTag})`,
      needs: 'tag',
      arguments: { ...elementTags, ...tagsBelow, ...belowName, separator: wrapperTag },
    },
    {
      head: `${nameElement}(?=</?[A-Za-z_])`,
      needs: 'tag',
      arguments: { ...elementTags, ...belowName },
    },
    { head: `${namedCall}\\s*(?:${wrapperTag}\\s*)?(?=\\{)`, arguments: 'json' },
    {
      head: `${namedCall}\\s*(?=${wrapperTag})`,
      arguments: {
        ...elementTags,
        ...tagsBelow,
        end: '</ELEMENT(?:>|$)',
        call: '<(?:tool_call|tool|tool_use|function|invoke)\\s+name=',
        separator: wrapperTag,
        layout: 'lines',
      },
    },
    {
      head: `${tagToken}<(?<name>[A-Za-z_][\\w.-]{0,127})>\\s*(?:${wrapperTag}\\s*)?(?=\\{)`,
      needs: 'tool',
      arguments: 'json',
    },
    {
      head: `${tagToken}<(?<name>[A-Za-z_][\\w.-]{0,127})>\\s*(?=${wrapperTag})`,
      needs: 'tool',
      arguments: {
        ...elementTags,
        ...tagsBelow,
        end: '</NAME(?:>|$)',
        call: '<NAME>',
        separator: wrapperTag,
        layout: 'lines',
      },
    },
    // Qwen's parameters.
    {
      head: `<(?<name>[A-Za-z_][\\w.-]{0,127})>(?=\\s*${parameterTags.parameter})`,
      needs: 'tool',
      isFaulty: true,
      arguments: { ...parameterTags, end: '</NAME(?:>|$)', call: '<NAME>', layout: 'lines' },
    },
    {
      head: `${tagToken}<(?<name>[A-Za-z_][\\w.-]{0,127})>`,
      needs: 'tool',
      repeats: true,
      arguments: { ...elementTags, end: '</NAME(?:>|$)', call: '<NAME>', layout: 'lines' },
    },
  ],
};

export const elementXmlForm: NotationForm = {
  models: 'models prompted by Cline, Roo Code and their like',
  form: '`<NAME><KEY>value</KEY></NAME>`, `<tool_call name="NAME"><args><KEY>value</KEY></args></tool_call>`',
  notExpressed:
    'a string with a parameter’s own tags in it, and one that begins and ends with a line break; a tool or a key whose name is not one of XML',
  write(call) {
    const { name } = call;
    const keys = Object.keys(call.arguments);
    const holdsTag = Object.values(call.arguments).some((value) =>
      keys.some(
        (key) => rawText(value).includes(`<${key}>`) || rawText(value).includes(`</${key}>`),
      ),
    );
    const write = (key: string, raw: string) => `<${key}>${raw}</${key}>\n`;
    const isExpressible = [name, ...keys].every(isElementName) && !holdsTag;
    const parameters = isExpressible ? writeVerbatim(call, write, `</${name}>`) : undefined;
    return parameters && `<${name}>\n${parameters.join('')}</${name}>`;
  },
};

const isElementName = (name: string): boolean => /^[A-Za-z_][\w.-]{0,127}$/.test(name);
