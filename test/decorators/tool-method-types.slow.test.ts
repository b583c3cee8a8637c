import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(root, 'test/decorators/compiled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = `
import { IsString } from 'class-validator';
import { ToolMethod, type ToolContext } from 'toolmend';

class Order { @IsString() article!: string; }
class Other { @IsString() city!: string; }
const options = { description: 'Order.' };

export class Right {
  @ToolMethod(Order, options) place(order: Order, { signal }: ToolContext): boolean { return signal.aborted || order.article === ''; }
  @ToolMethod(Order, options) first(order: Order): string { return order.article; }
  @ToolMethod(Order, options) none(): void {}
  @ToolMethod(Order, options) async part({ article }: { readonly article: string }): Promise<string> { return article; }
}

export class Wrong {
  @ToolMethod(Order, options) other(order: Other): string { return order.city; } // error
  @ToolMethod(Order, options) text(order: string): string { return order; } // error
  @ToolMethod(Order, options) more(order: Order & Other): string { return order.city; } // error
}
`;

test('a method whose first parameter does not take the argument class does not compile', () => {
  writeFileSync(join(folder, 'sample.ts'), source);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['sample.ts'] }),
  );
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', folder], {
    encoding: 'utf8',
  });
  const wrong = source.split('\n').flatMap((line, index) => (line.endsWith('// error') ? [index + 1] : []));
  const refused = [...stdout.matchAll(/sample\.ts\((\d+),\d+\): error TS\d+/g)].map(([, line]) =>
    Number(line),
  );
  expect([...new Set(refused)]).toEqual(wrong);
});
