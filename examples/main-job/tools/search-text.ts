// Searches files for a text.
import { IsBoolean, IsNotEmpty, IsOptional, IsString, Matches } from 'class-validator';
import { ArrayOf, Default, Describe, PathField, Tool, type ToolContext, Verbatim } from 'toolmend';
import type { Workspace } from '../workspace.ts';

const mostMatches = 50;

@Tool({ description: 'Find the lines of the workspace that hold a text.', effects: 'read' })
export class SearchText {
  @IsString()
  @IsNotEmpty()
  @Verbatim()
  @Describe('The text to look for, as it is: no regular expression.')
  text!: string;

  @ArrayOf(String)
  @PathField()
  @Describe('Files and folders to look into; an empty list for the whole workspace.')
  paths!: string[];

  @IsOptional()
  @ArrayOf(String)
  @Matches(/^\.[a-z]+$/, { each: true })
  @Describe('Endings of the files to look into, such as .js')
  extensions?: string[];

  @IsBoolean()
  @Default(false)
  @Describe('Whether case makes no difference.')
  ignore_case!: boolean;

  constructor(private readonly workspace: Workspace) {}

  async execute({ signal }: ToolContext): Promise<string> {
    const matches: string[] = [];
    for (const path of await this.files()) {
      signal.throwIfAborted();
      matches.push(...this.matchesIn(path, await this.workspace.readText(path)));
    }
    return matches.length === 0
      ? 'No line holds this text.'
      : matches.slice(0, mostMatches).join('\n');
  }

  private async files(): Promise<readonly string[]> {
    const { paths, extensions = [] } = this;
    const starts = paths.length === 0 ? ['.'] : paths;
    const files = await Promise.all(starts.map((start) => this.workspace.filesBelow(start)));
    const all = [...new Set(files.flat())];
    return extensions.length === 0
      ? all
      : all.filter((path) => extensions.some((end) => path.endsWith(end)));
  }

  private matchesIn(path: string, text: string): readonly string[] {
    const folded = (line: string): string => (this.ignore_case ? line.toLowerCase() : line);
    const wanted = folded(this.text);
    return text
      .split('\n')
      .flatMap((line, index) =>
        folded(line).includes(wanted) ? [`${path}:${index + 1}: ${line}`] : [],
      );
  }
}
