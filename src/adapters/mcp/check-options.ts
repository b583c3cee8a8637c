// Do the options fit the tools that a server has, and are their names free? Told at once, before anything is registered.
import { type Complaint, DefinitionError } from '../../errors/definition-error.ts';
import { foldKey } from '../../json/fold-key.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { ListedTools } from './list-remote-tools.ts';
import { overlayComplaints, registeredName } from './remote-contract.ts';
import type { RemoteOptions } from './remote-options.ts';

const where = 'registerRemoteTools';

/** Throws a DefinitionError with every complaint. */
export function requireFit({ tools }: ListedTools, registry: ToolRegistry, options: RemoteOptions): void {
  const taken = new Map(registry.names().map((name) => [foldKey(name) ?? name, name]));
  const registered = tools.filter((tool) => options.filter?.(tool) ?? true);
  const listed = new Set(tools.map(({ name }) => name));
  const complaints = [
    ...Object.keys(options.overlay ?? {}).flatMap((name) => (listed.has(name) ? [] : [unknownTool(name)])),
    ...registered.flatMap((tool) => overlayComplaints(tool, options)),
    ...registered.flatMap((tool) => {
      const name = registeredName(tool, options);
      const other = taken.get(foldKey(name) ?? name);
      return other === undefined ? [] : [nameIsTaken(name, other)];
    }),
  ];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

const unknownTool = (name: string): Complaint => ({
  where,
  what: `has an overlay for ${JSON.stringify(name)}, which the server does not list`,
  instead: "write the server's own name of a tool, without the prefix",
});

const nameIsTaken = (name: string, other: string): Complaint => ({
  where: name,
  what: other === name ? 'is registered already' : `is spelled like ${other}, which is registered already`,
  instead: "write a prefix for this server: { prefix: '…_' }",
});
