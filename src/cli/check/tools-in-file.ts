// Which tools does a file describe? A JSON file lists them; a module exports them.
import { readFile } from 'node:fs/promises';
import { toolList } from './tool-list.ts';
import { toolsInModule } from './tools-in-module.ts';
import { type NothingToCheck, type ToolsToCheck, toolsInJson } from './tools-to-check.ts';

export async function toolsInFile(file: string): Promise<ToolsToCheck | NothingToCheck> {
  const shown = JSON.stringify(file);
  if (/\.[cm]?ts$/.test(file))
    return { refused: `${shown} is TypeScript: compile it first, and give the JavaScript` };
  if (/\.[cm]?js$/.test(file)) return toolsInModule(file);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { refused: `${shown} can't be read` };
  const list = toolList(text);
  if (list === undefined)
    return { refused: `${shown} is no JSON file of tools, no JavaScript module and no http URL` };
  const { contracts, broken } = toolsInJson(list.entries);
  return { contracts, broken: [...list.broken.map((line) => `line ${line} is no JSON.`), ...broken] };
}
