// Reads files.
import { ArrayMaxSize, ArrayMinSize, IsInt, IsOptional, Min } from 'class-validator';
import {
  Alias,
  ArrayOf,
  Describe,
  PairedDefault,
  PathField,
  Tool,
  type ToolContext,
} from 'toolmend';
import type { Workspace } from '../workspace.ts';

@Tool({ description: 'Read text files of the workspace.', effects: 'read' })
export class ReadFiles {
  @ArrayOf(String)
  @PathField()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @Alias('file_path', 'file')
  @Describe('Paths relative to the workspace.')
  paths!: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  @Describe('First line to read, counted from 0.')
  offset?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @PairedDefault('offset', 0)
  @Describe('Number of lines to read.')
  limit?: number;

  constructor(private readonly workspace: Workspace) {}

  async execute({ signal, progress }: ToolContext): Promise<string> {
    const parts: string[] = [];
    for (const path of this.paths) {
      signal.throwIfAborted();
      progress({ reading: path });
      parts.push(`== ${path}\n${this.excerptOf(await this.workspace.readText(path))}`);
    }
    return parts.join('\n');
  }

  private excerptOf(text: string): string {
    const { offset = 0, limit } = this;
    const end = limit === undefined ? undefined : offset + limit;
    return text.split('\n').slice(offset, end).join('\n');
  }
}
