// Arguments that are an address, a glob pattern or a range of lines.

// #region kinds
import { strictEqual } from 'node:assert/strict';
import { IsString } from 'class-validator';
import {
  Glob,
  LineRange,
  Optional,
  PathField,
  Tool,
  toolMessage,
  ToolRegistry,
  Url,
} from 'toolmend';

@Tool({ description: 'Fetch a page, and search a file for it.', effects: 'read' })
class FindQuotes {
  @Url() @IsString() page!: string;
  @PathField() @IsString() file!: string;
  @Optional() @Glob() @IsString() exclude?: string;
  @Optional() @LineRange() lines?: [number, number];

  execute(): string {
    return [this.page, this.file, this.exclude, this.lines?.join('-')].join(' ');
  }
}

const tools = new ToolRegistry().register(FindQuotes);
const outcome = await tools.call({
  id: 'call_1',
  name: 'find_quotes',
  arguments: {
    page: '[The page](https://example.com/a)',
    file: '[src/a.ts](http://src/a.ts)',
    exclude: '"**/*.min.js"',
    lines: 'L10-L20',
  },
});
// #endregion
console.log(toolMessage(outcome).text);
if (outcome.status === 'completed')
  for (const { rule, path } of outcome.interpretation.repairs) console.log(rule, path);
// #region refused
const refused = await tools.call({
  id: 'call_2',
  name: 'find_quotes',
  arguments: { page: 'example.com/a', file: 'src/a.ts', lines: [20, 10] },
});
// #endregion
console.log(toolMessage(refused).text);
strictEqual(outcome.status, 'completed');
