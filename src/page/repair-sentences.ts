import type { RuleId } from '../tool/rule-choice.ts';

/** What each rule has done to a call, as a sentence for people. */
const repairSentences: { readonly [Id in RuleId]: string } = {
  empty_text: 'The text was empty. It is read as a call without arguments.',
  double_encoded: 'The arguments were JSON inside a JSON string. The inner JSON is used.',
  single_root: 'The arguments were an array of one object. The object is used.',
  call_notation: "The arguments were a call in the model's own markup. Its parameters are used.",
  code_fence: 'The JSON stood in a code fence. What is inside is used.',
  loose_json: 'The JSON had the spelling of another language. It is read as JSON.',
  repeated_object: 'The same object was sent more than once, or began anew. It is used once.',
  broken_json: 'The JSON was broken in one place. Only one reading of it passes.',
  bare_word: 'The only argument was a word without quotes. It is read as a string.',
  surrounding_text: 'Words stood around the object. The object alone is used.',
  wrap_text_in_parameter: 'The arguments were plain text. The only parameter for text takes it.',
  unwrap_envelope: 'The arguments stood inside an envelope. Its content is used.',
  merge_envelope: 'Some arguments stood in an envelope beside the others. All are used together.',
  wrap_in_parameter: 'The keys of a parameter stood at the root. They are used inside it.',
  unwrap_outer_key: 'All arguments stood under an undeclared key. What is under it is used.',
  split_markup: "A value held the parameters that follow it, in the model's markup.",
  drop_tool_name: 'The name of the tool stood among its arguments. It is left out.',
  unwrap_repeated: 'A parameter held its own name again. What is inside is used.',
  rename_key: 'The key is another spelling of a declared one.',
  unflatten_keys: 'Keys spelled places inside a declared value. They are used there.',
  rename_related: 'The key has a name related to the only key that was missing.',
  fold_into_element: 'Keys of one element stood outside its array. They are used as an element.',
  hoist_member: 'A required key stood one level too deep. It is moved up.',
  drop_empty_key: 'An unknown key held nothing. It is left out.',
  drop_null: "An optional key was null, which the schema doesn't allow. It is left out.",
  drop_placeholder: 'An optional key held a word for nothing. It is left out.',
  fill_default: 'A required key was absent. It has its declared default.',
  fill_null: 'A required key that may be null was absent. It is null.',
  rename_only_candidate: 'One key was unknown and one was missing. The value fits, and is used.',
  drop_unknown_argument: 'The tool takes no such key. It is left out.',
  null_word: 'A word for nothing stood in place of null. It is read as null.',
  json_text_to_array: 'An array was written as text. It is read as an array.',
  json_text_to_object: 'An object was written as text. It is read as an object.',
  text_to_number: 'A number stood in quotes. It is read as a number.',
  text_to_integer: 'A number stood in quotes. It is read as an integer.',
  text_to_boolean: 'true or false stood in quotes. It is read as a boolean.',
  md_link_to_path: 'The path was a Markdown link. Its text is used.',
  line_range_form: 'The range of lines was written in another form. It is written as declared.',
  empty_object_to_array:
    'An empty object stood in place of an array. It is read as an empty array.',
  keyed_object_to_array: 'An array stood inside an object. It is used as the array.',
  split_enum_list: 'Several members stood in one text. Each is used as an element.',
  item_to_scalar: 'A plain value stood inside an object. The value is used.',
  echoed_schema: 'A value came with a copy of its schema. The value is used.',
  wrap_in_array: 'One value stood where an array is declared. It is used as an array of one.',
  unwrap_single: 'An array of one stood in place of its element. The element is used.',
  literal_to_text: 'A value stood where a string is declared. It is used as text.',
  enum_spelling: 'The value is another spelling of a declared one.',
  url_in_markup: 'The address stood in a Markdown link or in other marks. The address is used.',
  glob_in_quotes: 'The pattern stood in quotes or between blanks. The pattern is used.',
};

/** Repairs of the gateway, beside the arguments, and those of the program's own rules. */
const otherSentences: ReadonlyMap<string, string> = new Map([
  ['tool_name', 'The name was another spelling of an offered tool. That tool is called.'],
  ['arguments_shape', 'The arguments had the form of another API. They have the right one now.'],
  ['separate_calls', 'Calls shared an index or an id. Each has its own now.'],
  ['provider_schema', "The arguments had the form of the provider's schema. They have the tool's."],
]);

export function repairSentence(rule: string): string {
  const knownSentence = Object.entries(repairSentences).find(([id]) => id === rule)?.[1];
  return knownSentence ?? otherSentences.get(rule) ?? 'A rule of the application has repaired it.';
}
