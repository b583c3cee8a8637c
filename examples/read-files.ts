// A complete tool.
// #region tool
import { readFile } from 'node:fs/promises';
import { ArrayMaxSize, IsInt, IsOptional, Min } from 'class-validator';
import {
  Alias,
  ArrayOf,
  Describe,
  PairedDefault,
  PathField,
  Tool,
  type ToolContext,
} from 'toolmend';

@Tool({ description: 'Read text files.', effects: 'read' })
export class ReadFiles {
  @ArrayOf(String)
  @PathField()
  @ArrayMaxSize(20)
  @Alias('file_path', 'file')
  @Describe('Paths relative to the working directory.')
  paths!: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  offset?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @PairedDefault('offset', 0)
  limit?: number;

  async execute({ signal }: ToolContext): Promise<string> {
    const { offset = 0, limit = Infinity } = this;
    const parts = this.paths.map(async (path) => {
      const lines = (await readFile(path, { encoding: 'utf8', signal })).split('\n');
      return lines.slice(offset, offset + limit).join('\n');
    });
    return (await Promise.all(parts)).join('\n');
  }
}
// #endregion
