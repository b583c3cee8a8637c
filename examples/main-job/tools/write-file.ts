// Writes a new file.
import { IsString } from 'class-validator';
import { Alias, Contract, Describe, PathField, Tool, Verbatim } from 'toolmend';
import type { Workspace } from '../workspace.ts';

@Tool({
  description: 'Write a text file of the workspace, in place of what was there.',
  effects: 'write',
})
@Contract('The content is written byte for byte: no fences around it, no escapes in it.')
export class WriteFile {
  @IsString()
  @PathField()
  @Alias('file_path')
  @Describe('Path relative to the workspace.')
  path!: string;

  @IsString()
  @Verbatim()
  content!: string;

  constructor(private readonly workspace: Workspace) {}

  async execute(): Promise<string> {
    await this.workspace.writeText(this.path, this.content);
    return `${this.path}: ${this.content.length} characters written.`;
  }
}
