// Replaces text at several places of a file: all of them or none.
import { ArrayMinSize, IsNotEmpty, IsString } from 'class-validator';
import { ArrayOf, Check, Contract, Describe, PathField, Tool, ToolRetry, Verbatim } from 'toolmend';
import type { Workspace } from '../workspace.ts';

class Edit {
  @IsString()
  @IsNotEmpty()
  @Verbatim()
  @Describe('Text that stands in the file exactly once.')
  find!: string;

  @IsString()
  @Verbatim()
  @Describe('What is to stand there instead.')
  replace!: string;
}

@Tool({ description: 'Change a text file of the workspace.', effects: 'write' })
@Contract('The edits are made in order; if one does not fit, none is made.')
export class EditFile {
  @IsString()
  @PathField()
  @Describe('Path relative to the workspace.')
  path!: string;

  @ArrayOf(() => Edit)
  @ArrayMinSize(1)
  edits!: Edit[];

  constructor(private readonly workspace: Workspace) {}

  @Check()
  changesSomething(): true | string {
    const idle = this.edits.findIndex(({ find, replace }) => find === replace);
    return idle === -1
      ? true
      : `edits[${idle}] replaces a text by itself: send another replacement.`;
  }

  async execute(): Promise<string> {
    const before = await this.workspace.readText(this.path);
    const after = this.edits.reduce((text, edit, index) => applyEdit(text, edit, index), before);
    await this.workspace.writeText(this.path, after);
    return `${this.path}: ${this.edits.length} ${this.edits.length === 1 ? 'place' : 'places'} changed.`;
  }
}

function applyEdit(text: string, { find, replace }: Edit, index: number): string {
  const start = text.indexOf(find);
  if (start === -1)
    throw new ToolRetry(`edits[${index}].find does not stand in the file: read it again.`);
  if (text.includes(find, start + 1)) {
    throw new ToolRetry(
      `edits[${index}].find stands in the file more than once: give more of the text.`,
    );
  }
  return text.slice(0, start) + replace + text.slice(start + find.length);
}
