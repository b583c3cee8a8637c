// What happens to calls when an application closes, and what is logged.
import {
  type CanActivate,
  type ExecutionContext,
  type OnModuleDestroy,
  type Type,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString } from 'class-validator';
import { type ToolContext, ToolMethod, ToolRegistry } from 'toolmend';
import { toolExecutionOf, ToolmendModule } from 'toolmend/nestjs';
import { toolOf } from '../../tools.ts';
import { moduleOf, type Note, providerOf, startModules } from './nest-app.ts';
import { RecordingLogger } from './recording-logger.ts';

class Work {
  @IsString() name!: string;
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an application that closes', () => {
  const order: string[] = [];
  let begun = Promise.withResolvers<void>();
  let goOn = Promise.withResolvers<void>();
  beforeEach(() => {
    order.splice(0);
    begun = Promise.withResolvers();
    goOn = Promise.withResolvers();
  });

  @Injectable()
  class Database implements OnModuleDestroy {
    isOpen = true;
    onModuleDestroy(): void {
      this.isOpen = false;
      order.push('database closed');
    }
  }
  const databaseModule = moduleOf([Database], { exports: [Database] });

  @Injectable()
  class Worker implements OnModuleDestroy {
    constructor(private readonly database: Database) {}

    @ToolMethod(Work, { description: 'Work.' })
    async work({ name }: Work, { signal }: ToolContext): Promise<string> {
      begun.resolve();
      await Promise.race([
        goOn.promise,
        new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
      ]);
      order.push(
        `${name} ${signal.aborted ? 'aborted' : 'done'}, database ${this.database.isOpen ? 'open' : 'closed'}`,
      );
      return 'worked';
    }

    onModuleDestroy(): void {
      order.push('worker closed');
    }
  }
  const workerModule = moduleOf([Worker], { imports: [databaseModule] });
  const root = { provide: 'ROOT', useValue: { onModuleDestroy: () => order.push('root closed') } };

  /** With the providers of a root module. */
  async function startApp(closeTimeoutMs: number, modules: readonly Type[]) {
    const imports = [...modules, ToolmendModule.forRoot({ closeTimeoutMs })];
    const options = { logger: new RecordingLogger(), abortOnError: false };
    const app = await NestFactory.createApplicationContext(moduleOf([root], { imports }), options);
    return { app, tools: app.get(ToolRegistry) };
  }

  it('needs a valid time', async () => {
    await expect(startApp(-1, [])).rejects.toThrow(
      'ToolmendModule has -1 for closeTimeoutMs: write milliseconds, at least 0 and at most 2147483647.',
    );
  });

  it('lets running calls end before any provider is destroyed, and starts no others', async () => {
    const { app, tools } = await startApp(60_000, [workerModule]);
    const running = tools.call({ id: '1', name: 'work', arguments: { name: 'first' } });
    await begun.promise;
    const closing = app.close();
    await nextTick();
    const late = await tools.call({ id: '2', name: 'work', arguments: { name: 'second' } });
    goOn.resolve();
    await closing;
    expect(await running).toMatchObject({ status: 'completed', result: 'worked' });
    expect(late).toMatchObject({ status: 'limit_exceeded', reason: 'closed' });
    expect(order.slice(0, 1)).toEqual(['first done, database open']);
    const steps = ['database closed', 'first done, database open', 'root closed', 'worker closed'];
    expect(order.toSorted()).toEqual(steps);
  });

  it('aborts them after the time', async () => {
    const { app, tools } = await startApp(0, [workerModule]);
    const running = tools.call({ id: '1', name: 'work', arguments: { name: 'first' } });
    await begun.promise;
    await app.close();
    expect(await running).toMatchObject({ status: 'cancelled', when: 'during' });
    expect(order[0]).toBe('first aborted, database open');
  });

  it.each([
    ['some', 60_000, { status: 'limit_exceeded', reason: 'closed' }],
    ['never', 0, { status: 'cancelled', when: 'before' }],
  ])(
    'lets guards end, and ends a call whose guard never does: %s',
    async (name, time, expected) => {
      @Injectable()
      class Asking implements CanActivate {
        constructor(private readonly database: Database) {}
        async canActivate(context: ExecutionContext): Promise<boolean> {
          begun.resolve();
          if (toolExecutionOf(context)?.arguments['name'] === 'never') await new Promise(() => {});
          await goOn.promise;
          order.push(`guarded, database ${this.database.isOpen ? 'open' : 'closed'}`);
          return true;
        }
      }
      @Injectable()
      class Guarded {
        @UseGuards(Asking)
        @ToolMethod(Work, { description: 'Work.' })
        guarded(): string {
          return 'worked';
        }
      }
      const { app, tools } = await startApp(time, [moduleOf([Database, Asking, Guarded])]);
      const call = tools.call({ id: '1', name: 'guarded', arguments: { name } });
      await begun.promise;
      const closing = app.close();
      await nextTick();
      goOn.resolve();
      await closing;

      expect(await call).toMatchObject(expected);
      const guarded = name === 'some' ? ['guarded, database open'] : [];
      expect(order.filter((step) => step !== 'root closed')).toEqual([
        ...guarded,
        'database closed',
      ]);
    },
  );
});

describe('Nest’s log', () => {
  const work = ({ text }: Note): string => {
    if (text === 'bad') throw new Error('the disk is full');
    return 'worked';
  };

  it('has the tools, what happened to calls and what was thrown, but no argument and no result', async () => {
    const logger = new RecordingLogger();
    const strange = toolOf(() => 'strange', {
      name: 'strange',
      inputSchema: { type: 'object', madeUp: 1 },
    });
    const { call, tools } = await startModules(
      [moduleOf([providerOf(work, { name: 'work' })])],
      { tools: [strange] },
      (builder) => builder.setLogger(logger),
    );
    await call('work', '{"text": "sesame",}');
    await call('work', { text: 'sesame', more: 'sesame' });
    const failed = await call('work', { text: 'bad' });
    await call('sesame', {});
    tools.replace(toolOf(() => 'other', { name: 'strange', description: 'Other.' }));
    const errorId = 'errorId' in failed ? failed.errorId : '';

    expect(logger.of('Toolmend')).toEqual([
      expect.stringMatching(/^warn The input schema of strange .*madeUp/),
      'log 2 tools: strange, work',
      'debug work: repaired by loose_json (call "call_1")',
      expect.stringMatching(/^debug work: completed after \d+ ms \(call "call_1"\)$/),
      'debug work: rejected for additionalProperties (call "call_2")',
      `error work threw (call "call_3", error ${errorId})`,
      expect.stringMatching(/^debug work: failed after \d+ ms \(call "call_3"\)$/),
      'debug an unknown tool: rejected for unknown_tool (call "call_4")',
      'warn the definition of strange has changed',
    ]);
    expect(logger.lines.join('\n')).not.toContain('sesame');
  });
});
