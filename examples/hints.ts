// Prints the description of a tool, with the hints that toolmend adds.
import assert from 'node:assert/strict';
import { ArrayMaxSize, IsInt, IsOptional, Min } from 'class-validator';
import { ArrayOf, Contract, PairedDefault, PathField, Tool, ToolRegistry } from 'toolmend';

@Tool({ description: 'Read text files.' })
@Contract('Never read the same file twice.')
class ReadFiles {
  @ArrayOf(String)
  @PathField()
  @ArrayMaxSize(20)
  paths!: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  offset?: number;

  @IsOptional()
  @IsInt()
  @PairedDefault('offset', 0)
  limit?: number;

  execute(): string {
    return this.paths.join(', ');
  }
}

const [shown] = new ToolRegistry().register(ReadFiles).schemas();
const [bare] = new ToolRegistry({ hints: 'off' }).register(ReadFiles).schemas();
assert.equal(bare?.description, 'Read text files.\nNever read the same file twice.');

console.log(shown?.description);
