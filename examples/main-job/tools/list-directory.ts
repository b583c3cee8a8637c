// Lists a folder.
import { IsString } from 'class-validator';
import { Default, Describe, PathField, Tool } from 'toolmend';
import type { Workspace } from '../workspace.ts';

@Tool({ description: 'List a folder of the workspace; folders end in a slash.', effects: 'read' })
export class ListDirectory {
  @IsString()
  @PathField()
  @Default('.')
  @Describe('Path relative to the workspace.')
  path!: string;

  constructor(private readonly workspace: Workspace) {}

  async execute(): Promise<readonly string[]> {
    return this.workspace.list(this.path);
  }
}
