import { types } from 'node:util';
import {
  type DefinitionProblem,
  type ReportProblem,
  definitionError,
  DefinitionError,
  definitionProblems,
} from '../../errors/definition-error.ts';
import { printable } from '../../json/preview.ts';
import { readPlainValue } from '../../json/serialize.ts';
import { defined, objectOf, ownValue } from '../../collections/objects.ts';
import {
  type JsonSchema,
  type SchemaObject,
  type ToolmendAnnotation,
  isSchema,
  mapSubschemas,
} from '../../schema/json-schema.ts';
import { exceededLimit } from '../../schema/keywords.ts';
import { contractFromSchema } from '../../tool/from-schema.ts';
import { withoutRootKeys } from '../../tool/meta-arguments.ts';
import type { Effects, ToolBinding, ToolContract } from '../../tool/tool-contract.ts';
import { readToolMetadata } from '../../tool/tool-options.ts';
import { type FixedArguments, type RemoteTool, maxFixedDepth } from './remote-call.ts';
import {
  type ArgumentOverlay,
  type ListedTool,
  type RemoteOptions,
  type ToolOverlay,
  overlayOf,
  registeredName,
} from './remote-options.ts';

const defaultTimeoutMs = 60_000;

/** https://modelcontextprotocol.io/specification */
const toolName = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Frozen. `bind` says how a call is sent. Throws a DefinitionError for an unusable schema or name,
 * and for an overlay that doesn't fit the tool.
 */
export function remoteContract(
  tool: ListedTool,
  options: RemoteOptions,
  bind: (remote: RemoteTool) => Extract<ToolBinding, { kind: 'remote' }>['send'],
): ToolContract {
  const overlay = overlayOf(options, tool.name);
  const { fixed: fixedArguments = {} } = overlay;
  const name = registeredName(tool, options);
  const { metadata, inputSchema, problems } = readOverlay(tool, options);
  if (problems.length > 0) throw new DefinitionError(problems);
  if (!toolName.test(name)) {
    const what = 'is a name that the protocol does not allow';
    throw definitionError(JSON.stringify(name), what, 'write another name in its overlay');
  }
  const contract = contractFromSchema({
    ...metadata,
    name,
    description: overlay.description ?? cleanText(tool.description ?? ''),
    hints: overlay.hints ?? [],
    inputSchema,
    strict: overlay.strict ?? {},
    ...defined({ onUnusableSchema: options.onUnusableSchema }),
    binding: Object.freeze({
      kind: 'remote',
      send: bind({ name, listedTool: tool, fixedArguments }),
    }),
  });
  const title = tool.title ?? tool.annotations?.title;
  return Object.freeze({
    ...contract,
    ...(title === undefined ? {} : { title: cleanText(title) }),
    contextFields: Object.freeze(Object.keys(fixedArguments)),
  });
}

export const overlayProblems = (
  tool: ListedTool,
  options: RemoteOptions,
): readonly DefinitionProblem[] => readOverlay(tool, options).problems;

function readOverlay(tool: ListedTool, options: RemoteOptions) {
  const overlay = overlayOf(options, tool.name);
  const problems = definitionProblems();
  const report = problems.at(registeredName(tool, options));
  const effects = effectsOf(tool, overlay, options.annotations);
  const { timeoutMs = defaultTimeoutMs } = options;
  const readMembers = { timeoutMs, ...overlay, ...(effects === undefined ? {} : { effects }) };
  // The server's own name and description needn't follow the rules for authors.
  const metadata = readToolMetadata(
    { ...readMembers, name: 'tool', description: 'A tool.' },
    'tool',
    {},
    report,
  );
  const inputSchema = remoteSchema(tool.inputSchema, overlay, report);
  return { metadata, inputSchema, problems: problems.problems };
}

/** The program's own word, else the server's hints as far as they are trusted. */
function effectsOf(
  { annotations: hints }: ListedTool,
  { effects }: ToolOverlay,
  annotations: RemoteOptions['annotations'],
): Effects | undefined {
  if (effects !== undefined || hints === undefined) return effects;
  if (hints.destructiveHint === true) return 'destructive';
  if (annotations !== 'trusted') return undefined;
  if (hints.readOnlyHint === true) return 'read';
  return hints.destructiveHint === false ? 'write' : undefined;
}

/**
 * The schema with the overlay's annotations, without fixed arguments, and without text that could
 * steer a model. Reports arguments that the tool doesn't have. A schema that is too large stays as
 * it is.
 */
function remoteSchema(
  schema: SchemaObject,
  { arguments: overlays = {}, pairs = [], fixed: fixedArguments = {} }: ToolOverlay,
  report: ReportProblem,
): SchemaObject {
  if (exceededLimit(schema) !== undefined) return schema;
  const clean = cleanSchema(schema);
  for (const name of Object.keys(fixedArguments)) requireArgument(clean, name, report);
  requireFixedValues(fixedArguments, report);
  const annotated = withArguments(clean, overlays, report);
  const annotation = annotated['x-toolmend'];
  const paired: SchemaObject =
    pairs.length === 0
      ? annotated
      : {
          ...annotated,
          'x-toolmend': {
            ...annotation,
            relational: [...(annotation?.relational ?? []), ...pairs],
          },
        };
  return withoutRootKeys(paired, new Set(Object.keys(fixedArguments)));
}

function requireFixedValues(fixedArguments: FixedArguments, report: ReportProblem): void {
  for (const [name, value] of Object.entries<unknown>(fixedArguments)) {
    const isPlainFunction = typeof value === 'function' && !types.isAsyncFunction(value);
    if (isPlainFunction || readPlainValue(value, maxFixedDepth).kind === 'plain') continue;
    const what = typeof value === 'function' ? 'an async function' : 'a value that is not JSON';
    report(
      `has ${what} for the fixed argument ${JSON.stringify(name)}`,
      'write a JSON value, or a function that returns one; put what must be awaited into the context of the call',
    );
  }
}

/** A copy whose titles and descriptions have no control tokens and no invisible characters. */
function cleanSchema(schema: SchemaObject): SchemaObject {
  const { title, description } = schema;
  return {
    ...mapSubschemas(schema, cleanSchema),
    ...(typeof title === 'string' ? { title: cleanText(title) } : {}),
    ...(typeof description === 'string' ? { description: cleanText(description) } : {}),
  };
}

/** Keeps line breaks. */
const cleanText = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => printable(line, Number.MAX_SAFE_INTEGER))
    .join('\n');

function withArguments(
  schema: SchemaObject,
  overlays: Readonly<Record<string, ArgumentOverlay>>,
  report: ReportProblem,
): SchemaObject {
  const names = Object.keys(overlays).filter((name) => requireArgument(schema, name, report));
  if (names.length === 0) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const overlay = ownValue(overlays, name);
    return [
      name,
      overlay === undefined ? property : withArgument(property, overlay, report),
    ] as const;
  });
  return { ...schema, properties: objectOf(properties) };
}

function withArgument(
  property: JsonSchema,
  overlay: ArgumentOverlay,
  report: ReportProblem,
): SchemaObject {
  const { description, properties, items } = overlay;
  const schema = typeof property === 'boolean' ? {} : property;
  const annotation: ToolmendAnnotation = { ...schema['x-toolmend'], ...annotationOf(overlay) };
  const annotated: SchemaObject = {
    ...schema,
    ...defined({ description, default: overlay.default }),
    ...(Object.keys(annotation).length === 0 ? {} : { 'x-toolmend': annotation }),
  };
  const inner = properties === undefined ? annotated : withArguments(annotated, properties, report);
  if (items === undefined) return inner;
  const elements = schema.items;
  if (isSchema(elements)) return { ...inner, items: withArgument(elements, items, report) };
  report(
    'has an overlay for items that its schema does not describe',
    'remove items from the overlay',
  );
  return inner;
}

const annotationOf = ({ aliases, semantic }: ArgumentOverlay): ToolmendAnnotation => ({
  ...defined({ aliases }),
  ...(semantic === 'verbatim' ? { verbatim: true } : {}),
  ...(semantic === 'secret' ? { secret: true } : {}),
  ...(semantic === 'verbatim' || semantic === 'secret' ? {} : defined({ semantic })),
});

function requireArgument(schema: SchemaObject, name: string, report: ReportProblem): boolean {
  const { properties = {} } = schema;
  if (Object.hasOwn(properties, name)) return true;
  const names = Object.keys(properties).map((key) => printable(key));
  report(
    `has an overlay for the argument ${JSON.stringify(name)}, which it does not have`,
    names.length === 0 ? 'remove it from the overlay' : `write one of ${names.join(', ')}`,
  );
  return false;
}
