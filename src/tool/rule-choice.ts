import { type OptionKinds, boolean } from '../options/check-options.ts';

/**
 * Switches rules off by their ids, in the order in which they are tried:
 * `{ wrap_in_array: false }`. What such a rule would repair is rejected; no other rule repairs it
 * instead. Default: every rule is on.
 */
export interface RuleChoice extends TextRuleChoice {
  /**
   * Models send a root whose only key is the undeclared arguments, args, input, parameters, params,
   * kwargs or properties, or type (`object`) and properties; a call envelope, whose name is under
   * name, function, tool, tool_name, toolName, functionName, function_name, method, action or
   * recipient_name and whose arguments are under one of these keys, action_input or tool_input,
   * also with a plain type, id, call_id, tool_call_id, index or jsonrpc, or inside what an API has
   * around a call: function, function_call, functionCall, tool_call, tool_use, toolUse, tool_calls
   * with one element, params of the method tools/call (in text that is not JSON of an object, also
   * if an open schema would take it); a root whose only key is a template’s placeholder (starts
   * with `$`, `<` or `{`), this tool’s name, or a parameter that takes no object, over declared
   * keys. Becomes the inner object (or its JSON text; or, for a tool with exactly one parameter,
   * which takes a string, a string that does not start like an object or array). Not when: the tool
   * declares that key; `name` is another tool’s; properties holds schemas; the string is blank, a
   * null word, or arguments in a fence, in markup or encoded twice.
   */
  readonly unwrap_envelope?: boolean;
  /**
   * Models send beside declared keys one undeclared arguments, args, input, parameters, params or
   * kwargs, with an object (or its JSON text) all of whose keys are declared. Becomes one object of
   * both. Not when: a key in both with different values (two readings: refused); an undeclared key
   * in it or beside it; two such keys; an empty object; beside it only a name that may be another
   * tool’s.
   */
  readonly merge_envelope?: boolean;
  /**
   * Models send the keys of the object that the only declared, or the only required, parameter
   * takes, directly at the root. Becomes `{parameter: {…}}`, if it passes after repair. Not when:
   * any key that is declared at the root, or not declared inside; a name key that holds this tool’s
   * name (two readings: refused); the parameter takes something else than an object, too.
   */
  readonly wrap_in_parameter?: boolean;
  /**
   * Models send a root whose only key is not declared (config, payload, request, options and other
   * names) around an object, or its JSON text, all of whose keys are declared. Becomes the inner
   * object, if it passes with no key renamed, filled in, moved or left out; the model gets a note.
   * Not when: the root passes; the key speaks about a call (result, example, previous, cancel and
   * the like); it has two words, as names of tools have, or would be valid at a parameter that is
   * absent, except for data, payload, request, body, `_`, query, call, config, settings, options,
   * object, fields, values, content, message, record; a destructive tool, except for the first five
   * of these.
   */
  readonly unwrap_outer_key?: boolean;
  /**
   * Models send in the root of a closed object an undeclared name, function, tool, tool_name,
   * functionName, toolName, function_name, action, method or recipient_name, whose value is this
   * tool’s name. Becomes nothing: the key is left out. Not when: the object is open; the key is a
   * spelling of a declared one; any other value.
   */
  readonly drop_tool_name?: boolean;
  /**
   * Models send a parameter’s object whose only key is the parameter’s own name, over an object
   * with declared keys. Becomes the inner object, if it passes after repair. Not when: the key is
   * declared there, or any key is; the inner object is empty or has an undeclared key.
   */
  readonly unwrap_repeated?: boolean;
  /**
   * Models send an undeclared key that differs from one declared, absent key only in case,
   * separators, stray quotes or blanks, that has call markup stuck to it (`path</arg_key>`,
   * `parameter name="path"`), or that is its alias. Becomes the declared key. Not when: two
   * spellings of one key, unless their values are equal or one is a null that is not allowed; a key
   * that two declared ones could mean; in an open object, an alias of an optional key; markup in
   * the value, too.
   */
  readonly rename_key?: boolean;
  /**
   * Models send undeclared keys like `todos[0].title`, `filter.name` that spell a declared nested
   * place, or a key in a required open object. Becomes the nested value, of all keys with that head
   * or of none. Not when: a declared key has exactly that name; the nested value is present, too;
   * an array would have holes; the object around it is open and the nested value optional; the
   * nested value is verbatim.
   */
  readonly unflatten_keys?: boolean;
  /**
   * Models send as many undeclared keys as required ones are absent, each with a related name:
   * `file_path` for `path`, `cmd` for `command`, the singular for the plural. One name has all
   * words of the other, or others of their kind, and beside them only words of their kind, of the
   * tool’s name, or string, str, text, value, name, param, argument, input; or a word has one
   * letter too many, too few or wrong. Becomes the declared keys; the model gets a note. Not when:
   * a key is related to two declared ones, sent or not; opposites, negations, units, digits or
   * single letters differ; the wrong letter is the first of a word, in the only key, or in a name
   * below five letters; a regex for a glob; a map; another key is filled in, moved or left out; a
   * destructive tool.
   */
  readonly rename_related?: boolean;
  /**
   * Models send undeclared keys that together are one valid element of exactly one absent array of
   * objects. Becomes that array with the one element. Not when: more than one array would take
   * them; the object is open and the array optional.
   */
  readonly fold_into_element?: boolean;
  /**
   * Models send a required key of the root one level too deep: in the object of exactly one
   * declared parameter, or, with equal values, in every element of its array. Becomes the key at
   * the root; the model gets a note. Not when: values differ; some elements lack it; the lower
   * schema declares the key, declares no keys, or is a map; the parameter is verbatim; the value
   * doesn’t pass at the root after repair.
   */
  readonly hoist_member?: boolean;
  /**
   * Models send an unknown key of a closed object with null, `""`, `{}` or `[]`; the key `""` with
   * an empty value. Becomes nothing: the key is left out. Not when: the value holds anything; the
   * key doesn’t look like a name (letters, digits, `_ - . $`, at most 64); it is declared elsewhere
   * in the schema, or near a declared name (one edit, singular or plural, a part of the key), that
   * the object lacks.
   */
  readonly drop_empty_key?: boolean;
  /**
   * Models send null where null is not allowed, at a declared key that is optional, or required
   * with a default. Becomes nothing: the key is left out (a required one gets its default). Not
   * when: the key is required and has no default; the field is verbatim; inside an array.
   */
  readonly drop_null?: boolean;
  /**
   * Models send a blank string, `{}`, or the words null, None, undefined (trimmed) in an optional
   * declared key that doesn’t allow them. Becomes nothing: the key is left out. Not when: the
   * string is valid there; the field is verbatim; an array is allowed and `{}` was sent; null is
   * allowed and the string is a null word; the word spells a member, also of an array’s elements.
   */
  readonly drop_placeholder?: boolean;
  /**
   * Models send nothing for a required key that declares a default. Becomes the default. Not when:
   * no default is declared; the object, or anything in it, maps and open objects too, holds the key
   * or a name near it (one edit, singular or plural, some of its words) without declaring it.
   */
  readonly fill_default?: boolean;
  /**
   * Models send nothing for a required key that may be null, and has no default, in an object that
   * requires all its keys. Becomes null; the model gets a note. Not when: the key takes something
   * else than a number or a boolean, unless `effects` is `read`; no key was sent, or an undeclared
   * one; a description speaks of clearing, removing, unsetting, deleting or resetting; another key
   * is renamed, moved or left out; a destructive tool.
   */
  readonly fill_null?: boolean;
  /**
   * Models send in a tool with `effects: read`: exactly one undeclared key, exactly one absent
   * required key, and the value passes there. Becomes the declared key; the model gets a note. Not
   * when: an absent optional key would take the value; anything else.
   */
  readonly rename_only_candidate?: boolean;
  /**
   * Models send an undeclared key in a closed object of a tool with `unknownArguments: strip`.
   * Becomes nothing: the key is left out, and the model gets a note.
   * Not when: the tool has another `unknownArguments`.
   */
  readonly drop_unknown_argument?: boolean;
  /**
   * Models send the words null, None, undefined (trimmed), if null is allowed and the string is
   * not. Becomes null. Not when: the string is valid there, or spells a member, also of an
   * array’s elements.
   */
  readonly null_word?: boolean;
  /**
   * Models send a string instead of an array: JSON, Python literals, or JSON as models write it.
   * Becomes the array; repair goes on inside, digits stay exact. Not when: the string spells
   * something else, unless it is one object whose keys the element declares, or whose one key is
   * the array’s name; closers are missing, whatever the finish reason.
   */
  readonly json_text_to_array?: boolean;
  /**
   * Models send a string instead of an object: JSON, Python literals, or JSON as models write it.
   * Becomes the object; repair goes on inside, digits stay exact.
   * Not when: the string spells something else; closers are missing, whatever the finish reason.
   */
  readonly json_text_to_object?: boolean;
  /**
   * Models send a string that is, trimmed, a JSON number, instead of a number. Becomes the number.
   * Not when: an empty string, hex, units, words, `1_000`, thousands separators; leading zeros,
   * unless nothing but a number is declared, name and description speak of no mode, phone, code,
   * account, date or the like, and the tool is not destructive (the model gets a note); digits would
   * be lost; an integer beyond the safe ones without an exponent.
   */
  readonly text_to_number?: boolean;
  /**
   * Models send a string that is, trimmed, a JSON number, instead of an integer. Becomes the
   * number, if it is an integer and safe (`"5.0"` is 5). Not when: fractions; an empty string, hex,
   * units, words, `1_000`, thousands separators; leading zeros, unless nothing but a number is
   * declared, name and description speak of no mode, phone, code, account, date or the like, and
   * the tool is not destructive (the model gets a note).
   */
  readonly text_to_integer?: boolean;
  /**
   * Models send the words true, false, True, False, TRUE or FALSE (trimmed) instead of a boolean.
   * Becomes the boolean.
   * Not when: yes, no, 1, 0, on, off.
   */
  readonly text_to_boolean?: boolean;
  /**
   * Models send a path that is one whole markdown link, whose text is the address without protocol,
   * or whose address ends in a slash and the text. Becomes the text. Not when: other text; other
   * fields.
   */
  readonly md_link_to_path?: boolean;
  /**
   * Models send `{}` instead of an array.
   * Becomes `[]`.
   * Not when: `{}` is itself a valid element; an object is allowed, too.
   */
  readonly empty_object_to_array?: boolean;
  /**
   * Models send an object with one key instead of an array: the field’s name, its singular, its
   * last word, or item, value, element and their plurals; around one scalar also path, file,
   * filepath, filename in an array of paths, and url, uri, href, link in an array named after one
   * of these; the same key again inside; or an object whose keys count from 0 or 1. Becomes its
   * value, as the array or as the one element; the array of its values. Not when: any other key;
   * the object is itself a valid element that declares the key; a neutral key or an index over
   * elements that declare no keys (two readings: refused); in an array of arrays, two or more
   * elements of an inner array under any key but a singular of the field’s name (two readings:
   * refused).
   */
  readonly keyed_object_to_array?: boolean;
  /**
   * Models send a comma-separated string, each part exactly a member, instead of an array of that
   * enum. Becomes the array. Not when: any other string.
   */
  readonly split_enum_list?: boolean;
  /**
   * Models send `{item: x}`, `{value: x}` or `{element: x}` as an element of an array of scalars.
   * Becomes x; the model gets a note.
   * Not when: x is an object or an array; the elements may be one; a destructive tool.
   */
  readonly item_to_scalar?: boolean;
  /**
   * Models send `{type, value}`, `{type, description, value}`, `{description, type}` copied from
   * the schema around one value; `{value}` alone if no string is allowed. Becomes the value. Not
   * when: the type is not the name of a type; the description is the schema’s own, or, if the
   * schema has none, has the parameter’s name among other words; more than one candidate; the
   * object may be an element of the declared array.
   */
  readonly echoed_schema?: boolean;
  /**
   * Models send one value instead of an array of such values. Becomes an array of it. Not when: a
   * string that starts like an array or object, in quotes or in a fence too (`[a-z]*.ts` and
   * `[GitHub] fix` don’t); a blank string or a null word; a string that looks like several values
   * (with `,` `;` `|`, their forms in other scripts, tabs or line breaks outside quotes, brackets
   * and the only address, unless each part behind one goes on the sentence with a word such as
   * “and”, “but” or “if”); an address with `;` or `|`, or with a comma at its end; a null word, also
   * if it is a member of the elements’ enum; an object with an array or object in it and without any key that the elements
   * declare, or with a key of another branch, if the elements declare none; an element of an array
   * that was just made; a number for an array of strings, if a string is allowed, too.
   */
  readonly wrap_in_array?: boolean;
  /**
   * Models send an array of one element instead of the element; an array in an array of one.
   * Becomes the element; the inner array. Not when: two or more elements; the outer array is valid;
   * an entry of a map or an open object, as `{key, value}`.
   */
  readonly unwrap_single?: boolean;
  /**
   * Models send a number, if only strings are allowed, or strings and null (then the model gets
   * a note, and a destructive tool has it confirmed); an object, if only strings are allowed and a
   * document is asked for: by the last word of the name (content, body, data, payload, json,
   * document, text, fields, params, parameters, arguments, args, attributes, properties, config,
   * configuration, metadata, schema, spec, values, headers), or by a title, description, media type
   * or format that speaks of JSON; a number that would lose digits, if a string is allowed. Becomes
   * its own source text (`1.000001` stays so; an object as it was written, else its compact JSON).
   * Not when: objects anywhere else; booleans; arrays; objects in an array or in a secret field;
   * paths; strings with an enum or format; an object made only of JSON Schema’s keywords, or with
   * one key that is the field’s own name, an index, or names any element; digits that are lost
   * already; objects on a destructive tool.
   */
  readonly literal_to_text?: boolean;
  /**
   * Models send text that is a member but for blanks or quotes around it; else text that equals
   * exactly one member but for case, and blanks, underscores and hyphens inside; a number or
   * boolean member as text. Becomes the member. Not when: two members fit; synonyms; signs at
   * either end: `-created_at` is not `created_at`; beside a digit separators are exchanged, never
   * left out: `1-0` is not `10`.
   */
  readonly enum_spelling?: boolean;
}

/** Rules for argument text that is not the JSON of an object. They are tried first. */
interface TextRuleChoice {
  /**
   * Models send empty text, `""`, `null` or `None` for a tool without required arguments; `[]` for
   * one that declares none. Becomes `{}`. Not when: something is required; the stream was cut.
   */
  readonly empty_text?: boolean;
  /**
   * Models send a JSON string that holds the object (up to 3 deep).
   * Becomes the object.
   * Not when: the string holds anything else.
   */
  readonly double_encoded?: boolean;
  /**
   * Models send an array with exactly one object.
   * Becomes the object.
   * Not when: the array has more elements, or something else.
   */
  readonly single_root?: boolean;
  /**
   * Models send one whole call in a [notation of the models’ own](notations.md). Becomes its
   * arguments; raw text stays as it is where a string is declared, and the value rules read the
   * rest. Not when: two calls; another tool’s name; a parameter twice, or undeclared if the tool
   * declares its own; text between parameters; a parameter’s tag inside a value; raw text that is
   * JSON where both a string and a value of that type are declared; a parameter that isn’t closed;
   * a call that isn’t closed, unless the finish reason is known and normal.
   */
  readonly call_notation?: boolean;
  /**
   * Models send one fenced block and nothing else, or one that starts with `{` among words.
   * Becomes what is inside.
   * Not when: a fence inside a value; words that surrounding_text refuses.
   */
  readonly code_fence?: boolean;
  /**
   * Models send a byte order mark; comments; a trailing comma; single, curly, escaped or token
   * (`<|"|>`) quotes as delimiters, and `"""…"""`; Python’s True, False, None; unquoted keys; a key
   * that lost its opening quote; a quote after a number; raw line breaks and tabs in a string, `\n`
   * between tokens; escapes that JSON doesn’t know, and single backslashes in a path with a drive
   * letter. Becomes strict JSON. Not when: `\x`, `\N{`, a broken `\u`, a backslash before a letter
   * outside ASCII, and in single quotes what Python alone escapes; unknown escapes beside `\b \f \n \r \t` (two readings), also as the first
   * behind a drive letter; curly quotes in a text whose first string is in straight ones; a comment
   * whose line has a quote, or that comes behind a colon; NaN, Infinity, arithmetic; two commas; a
   * key that lost its closing quote; a key twice with two values.
   */
  readonly loose_json?: boolean;
  /**
   * Models send the same object glued twice or more, written as JSON or as models write it; `{}`
   * before the object; `""`, `{}`, surplus closers, control tokens or closing tags behind the
   * object, a fence or a JSON string; before the object a beginning of its own text (a stream that
   * started again). Becomes the object once. Not when: they differ, even if only in how they are
   * written; the beginning ends in `:`, `,`, `[`, `{` or `(`, or is shorter than 2 characters.
   */
  readonly repeated_object?: boolean;
  /**
   * Models send JSON with a comma or a colon missing, a closer wrong, missing or surplus, quotes
   * inside a string, a path without quotes, a list without brackets, or an object in two braces.
   * Becomes the value of the one reading that passes. Not when: several readings pass with
   * different values; a bracket or brace is surplus or has lost its partner, and both pass (`[}]`);
   * a closer is missing and the finish reason is unknown or the output limit, or a value has to be wrapped, dropped or filled; a string with quotes in it would hold another
   * member (`"a"; b: "c"`); the end lies inside a string; more than 256 KB of text; see [how broken
   * JSON is read](../internals/readings.md).
   */
  readonly readings?: boolean;
  /**
   * Models send words, closed reasoning tags, control tokens or a closing tag around exactly one
   * object, or an array of it; words or closed reasoning before a whole call in markup; control
   * tokens alone around what another rule may know; up to three quotes and closers behind an object.
   * Becomes the object; the call; what the tokens
   * are around. Not when: another brace outside; an object that holds no declared key; an object in
   * reasoning, a result, an example, another role’s turn or code, in the value of a parameter or of
   * a keyword, in a tag that is neither call markup nor the tool’s name, in a comment or in a
   * sentence; for a tool with one text parameter an object beside an operator (`y = {…}`); words
   * that hold “omitted”, a declared name before `:` or `=`, or dots that touch the object or have
   * their line to themselves; behind the object, words that may take it back (a negation, a
   * correction, an alternative, a question mark) or a declared name; quotes and closers that may
   * belong to the last string, because it holds a quote or a bracket, or ends in a blank.
   */
  readonly surrounding_text?: boolean;
}

/** The id of a rule, as in the records of repairs. */
export type RuleId = keyof RuleChoice;

export const ruleChoiceKinds: OptionKinds<RuleChoice> = {
  unwrap_envelope: boolean,
  merge_envelope: boolean,
  wrap_in_parameter: boolean,
  unwrap_outer_key: boolean,
  drop_tool_name: boolean,
  unwrap_repeated: boolean,
  rename_key: boolean,
  unflatten_keys: boolean,
  rename_related: boolean,
  fold_into_element: boolean,
  hoist_member: boolean,
  drop_empty_key: boolean,
  drop_null: boolean,
  drop_placeholder: boolean,
  fill_default: boolean,
  fill_null: boolean,
  rename_only_candidate: boolean,
  drop_unknown_argument: boolean,
  null_word: boolean,
  json_text_to_array: boolean,
  json_text_to_object: boolean,
  text_to_number: boolean,
  text_to_integer: boolean,
  text_to_boolean: boolean,
  md_link_to_path: boolean,
  empty_object_to_array: boolean,
  keyed_object_to_array: boolean,
  split_enum_list: boolean,
  item_to_scalar: boolean,
  echoed_schema: boolean,
  wrap_in_array: boolean,
  unwrap_single: boolean,
  literal_to_text: boolean,
  enum_spelling: boolean,
  empty_text: boolean,
  double_encoded: boolean,
  single_root: boolean,
  call_notation: boolean,
  code_fence: boolean,
  loose_json: boolean,
  repeated_object: boolean,
  readings: boolean,
  surrounding_text: boolean,
};
