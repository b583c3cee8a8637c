// How does another server's tool become a contract? Its schema judges and repairs here, and its calls leave as exact JSON.
import type { Client } from '@modelcontextprotocol/client';
import { complaintBook } from '../../contract/complaint-book.ts';
import { contractFromSchema } from '../../contract/contract-from-schema.ts';
import { readToolFacts } from '../../contract/said-of-tool/tool-facts.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { type Complaint, DefinitionError } from '../../errors/definition-error.ts';
import type { ListedTool } from './list-remote-tools.ts';
import { cleanText, remoteSchema } from './overlay-schema.ts';
import { effectsOf, type RemoteOptions, type ToolOverlay } from './remote-options.ts';
import { sendCall } from './send-call.ts';

const defaultTimeLimit = 60_000;

/** Names of the protocol: https://modelcontextprotocol.io/specification */
const allowedName = /^[A-Za-z0-9_.-]{1,128}$/;

/** Frozen. Throws a DefinitionError for a schema or a name that is none, and for an overlay that doesn't fit the tool. */
export function remoteContract(client: Client, tool: ListedTool, options: RemoteOptions): ToolContract {
  const overlay = overlayOf(options, tool.name);
  const { fixed = {} } = overlay;
  const name = registeredName(tool, options);
  const { facts, inputSchema, complaints } = readOverlay(tool, options);
  if (complaints.length > 0) throw new DefinitionError(complaints);
  if (!allowedName.test(name)) throw badName(name);
  const contract = contractFromSchema({
    ...facts,
    name,
    description: overlay.description ?? cleanText(tool.description ?? ''),
    hints: overlay.hints ?? [],
    inputSchema,
    strict: overlay.strict ?? {},
    onUnusableSchema: options.onUnusableSchema ?? 'refuse',
    binding: Object.freeze({ kind: 'wire', send: sendCall(client, { name, listed: tool, fixed }) }),
  });
  const title = tool.title ?? tool.annotations?.title;
  return Object.freeze({
    ...contract,
    ...(title === undefined ? {} : { title: cleanText(title) }),
    contextFields: Object.freeze(Object.keys(fixed)),
  });
}

/** What stands against the overlay of a tool. */
export const overlayComplaints = (tool: ListedTool, options: RemoteOptions): readonly Complaint[] =>
  readOverlay(tool, options).complaints;

/** What a tool is called here. */
export const registeredName = ({ name }: ListedTool, options: RemoteOptions): string =>
  overlayOf(options, name).name ?? (options.prefix ?? '') + name;

function readOverlay(tool: ListedTool, options: RemoteOptions) {
  const overlay = overlayOf(options, tool.name);
  const book = complaintBook();
  const complain = book.at(registeredName(tool, options));
  const effects = effectsOf(tool, overlay, options.annotations);
  const { timeLimit = defaultTimeLimit } = options;
  const said = { timeLimit, ...overlay, ...(effects === undefined ? {} : { effects }) };
  // Name and description may be as no author of ours would write them.
  const facts = readToolFacts({ ...said, name: 'tool', description: 'A tool.' }, 'tool', complain, book);
  const inputSchema = remoteSchema(tool.inputSchema, overlay, complain);
  return { facts, inputSchema, complaints: book.complaints };
}

const overlayOf = ({ overlay = {} }: RemoteOptions, name: string): ToolOverlay =>
  (Object.hasOwn(overlay, name) ? overlay[name] : undefined) ?? {};

const badName = (name: string): DefinitionError =>
  new DefinitionError([
    {
      where: JSON.stringify(name),
      what: 'is a name that the protocol does not allow',
      instead: 'give it another one in the overlay',
    },
  ]);
