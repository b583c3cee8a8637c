// What does the description say beside the author's words?
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  ArrayOf,
  Contract,
  contractOf,
  Nested,
  PairedDefault,
  PathField,
  RecordOf,
  Tool,
  Verbatim,
} from 'toolmend';
import { contractFromSchema } from '../../src/contract/contract-from-schema.ts';
import { describeTool } from '../../src/hints/describe-tool.ts';

test('a tool with nothing more to say keeps its own words', () => {
  @Tool({ description: ' Says the time. ' })
  class Now {
    @IsString() zone!: string;
    execute(): void {}
  }
  expect(describeTool(contractOf(Now))).toBe('Says the time.');
});

test('hints, paths, verbatim text and pairs follow on lines of their own', () => {
  class Edit {
    @IsString() @Verbatim() text!: string;
    @IsOptional() @ArrayOf(() => Edit) after?: Edit[];
  }
  @Tool({ description: 'Edits files.' })
  @Contract('Read a file before you edit it.')
  class EditFiles {
    @ArrayOf(String) @PathField() paths!: string[];
    @IsOptional() @RecordOf(String) @PathField() renames?: Record<string, string>;
    @ArrayOf(() => Edit) edits!: Edit[];
    @IsOptional() @IsInt() @PairedDefault('limit', 200) offset?: number;
    @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
    execute(): void {}
  }
  expect(describeTool(contractOf(EditFiles)).split('\n')).toEqual([
    'Edits files.',
    'Read a file before you edit it.',
    'paths, renames are file system paths, not links.',
    'edits[].text is taken as it stands: plain text, no code fence around it, nothing escaped twice.',
    'limit without offset: offset is 0.',
    'offset without limit: limit is 200.',
  ]);
});

test('one path is told of as one', () => {
  class Target {
    @IsString() @PathField() path!: string;
  }
  @Tool({ description: 'Reads.' })
  class Read {
    @Nested(() => Target) target!: Target;
    execute(): void {}
  }
  expect(describeTool(contractOf(Read))).toBe('Reads.\ntarget.path is a file system path, not a link.');
});

test("other servers' annotations are read too", () => {
  const contract = contractFromSchema({
    name: 'read',
    inputSchema: {
      type: 'object',
      properties: {
        file: { type: 'string', 'dirge-hints': { semantic: 'absolute_path' } },
        from: {},
        to: {},
      },
      'dirge-hints': { relational: [{ fields: ['from', 'to'], default: { to: 9 } }] },
    },
  });
  expect(describeTool(contract)).toBe('file is a file system path, not a link.\nfrom without to: to is 9.');
});
