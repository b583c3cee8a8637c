// Do an application's guards, interceptors, pipes and filters stand around tool calls, and can none of them be skipped in silence?
import {
  type ArgumentMetadata,
  type ArgumentsHost,
  BadRequestException,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  NotFoundException,
  type PipeTransform,
  type Provider,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { catchError, map, type Observable, of } from 'rxjs';
import {
  ArrayOf,
  defineTool,
  Tool,
  type ToolContext,
  ToolFailure,
  ToolMethod,
  toolMessage,
  ToolRetry,
} from 'toolmend';
import {
  compileTools,
  toolContextType,
  toolExecutionOf,
  type ToolmendModuleOptions,
  ToolmendModule,
} from 'toolmend/nestjs';
import { RecordingLogger } from './recording-logger.ts';

class Note {
  @IsString()
  text!: string;

  @IsOptional()
  @IsInt()
  times?: number;
}

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of started.splice(0)) await close();
});

async function start(providers: readonly Provider[], options: ToolmendModuleOptions = {}) {
  @Module({ providers: [...providers] })
  class AppModule {}
  const tested = await compileTools(
    Test.createTestingModule({ imports: [ToolmendModule.forRoot(options), AppModule] }).setLogger(
      new RecordingLogger(),
    ),
  );
  started.push(tested);
  return tested;
}

const Role = (role: string) => SetMetadata('role', role);

@Injectable()
class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const role = this.reflector.getAllAndOverride<string | undefined>('role', [
      context.getHandler(),
      context.getClass(),
    ]);
    return role === undefined || toolExecutionOf(context)?.values['role'] === role;
  }
}

describe('N5: a guard’s “no” is no result', () => {
  let written: string[] = [];
  beforeEach(() => {
    written = [];
  });

  @Injectable()
  @UseGuards(RoleGuard)
  class Notes {
    @ToolMethod(Note, { description: 'Write a note.' })
    write({ text }: Note): string {
      written.push(text);
      return 'written';
    }

    @Role('manager')
    @ToolMethod(Note, { description: 'Remove a note.', effects: 'destructive' })
    remove({ text }: Note): string {
      written.push(`removed ${text}`);
      return 'removed';
    }
  }

  @Tool({ description: 'Read the notes.' })
  @Role('manager')
  @UseGuards(RoleGuard)
  class ReadNotes {
    execute(): readonly string[] {
      return written;
    }
  }

  it('is the outcome denied, and nothing runs', async () => {
    const { call } = await start([Notes, ReadNotes]);

    const outcomes = [
      await call('write', { text: 'a' }),
      await call('remove', { text: 'a' }, { context: { role: 'guest' } }),
      await call('read_notes', {}),
    ];

    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'denied', 'denied']);
    expect(outcomes.slice(1).map((outcome) => toolMessage(outcome).text)).toEqual([
      'remove was not executed.\nThe application does not allow this call.',
      'read_notes was not executed.\nThe application does not allow this call.',
    ]);
    expect(written).toEqual(['a']);
    expect(await call('remove', { text: 'a' }, { context: { role: 'manager' } })).toMatchObject({
      status: 'completed',
      result: 'removed',
    });
    expect(await call('read_notes', {}, { context: { role: 'manager' } })).toMatchObject({
      result: ['a', 'removed a'],
    });
  });

  it('stays denied where a filter makes an answer of it, as a filter for HTTP does', async () => {
    @Catch()
    class AnswerAll implements ExceptionFilter {
      catch(): unknown {
        return { statusCode: 200, message: 'all is well' };
      }
    }
    const { call } = await start([Notes, { provide: APP_FILTER, useClass: AnswerAll }]);

    const outcome = await call('remove', { text: 'a' });

    expect(outcome.status).toBe('denied');
    expect(toolMessage(outcome).text).not.toContain('all is well');
    expect(written).toEqual([]);
  });

  it('says what the guard says, or what a filter makes of it for the model', async () => {
    @Injectable()
    class NightGuard implements CanActivate {
      canActivate(context: ExecutionContext): Promise<boolean> {
        const at = toolExecutionOf(context)?.values['at'];
        if (at === 'night') throw new ForbiddenException('Notes are written by day.');
        if (at === 'noon') throw new HttpException('Too many notes.', 429);
        return Promise.resolve(at === 'day');
      }
    }
    @Catch(ForbiddenException)
    class ForModels implements ExceptionFilter {
      catch({ message }: ForbiddenException): never {
        throw new ToolRetry(`Not now (${message})`);
      }
    }
    const said = async (providers: readonly Provider[], at: string): Promise<string> => {
      const { call } = await start([Notes, { provide: APP_GUARD, useClass: NightGuard }, ...providers]);
      const outcome = await call('write', { text: 'a' }, { context: { at } });
      expect(outcome.status).toBe(at === 'day' ? 'completed' : 'denied');
      return toolMessage(outcome).text;
    };

    expect(await said([], 'day')).toBe('written');
    expect(await said([], 'night')).toBe('write was not executed.\nNotes are written by day.');
    expect(await said([], 'noon')).toBe('write was not executed.\nToo many notes.');
    expect(await said([{ provide: APP_FILTER, useClass: ForModels }], 'night')).toBe(
      'write was not executed.\nNot now (Notes are written by day.)',
    );
  });

  it('comes before an approval: nobody is asked about what is not allowed', async () => {
    const { call } = await start([Notes], { approval: {} });

    expect(await call('remove', { text: 'a' })).toMatchObject({ status: 'denied' });
    expect(await call('remove', { text: 'a' }, { context: { role: 'manager' } })).toMatchObject({
      status: 'approval_required',
    });
  });

  it('a guard that breaks lets nothing run, and the model reads an error id', async () => {
    // Made for HTTP: there are no headers here.
    @Injectable()
    class HeaderGuard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        return context.switchToHttp().getRequest<{ headers: { token: string } }>().headers.token === 'secret';
      }
    }
    const { call } = await start([Notes, { provide: APP_GUARD, useClass: HeaderGuard }]);

    const outcome = await call('write', { text: 'a' });

    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception', cause: expect.any(TypeError) });
    expect(toolMessage(outcome).text).toMatch(/^write was not executed\.\n.*error [0-9a-f]+/);
    expect(written).toEqual([]);
  });

  it('global guards stand before tools that are no classes, request-scoped ones too', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class TenantGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly values: { readonly tenant?: string }) {}

      canActivate(context: ExecutionContext): boolean {
        return context.getType<string>() === toolContextType && this.values.tenant === 'acme';
      }
    }
    const now = defineTool({
      name: 'now',
      description: 'The time.',
      inputSchema: { type: 'object', properties: {} },
      execute: () => 'noon',
    });
    const { call } = await start([Notes, { provide: APP_GUARD, useClass: TenantGuard }], { tools: [now] });

    for (const [name, sent] of [
      ['now', {}],
      ['write', { text: 'a' }],
    ] as const) {
      expect(await call(name, sent)).toMatchObject({ status: 'denied' });
      expect(await call(name, sent, { context: { tenant: 'acme' } })).toMatchObject({ status: 'completed' });
    }
  });

  it('global enhancers that have no instance outside of one provider are refused at the start', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Fleeting implements CanActivate {
      canActivate(): boolean {
        return false;
      }
    }

    await expect(start([Notes, { provide: APP_GUARD, useClass: Fleeting }])).rejects.toThrow(
      'APP_GUARD is transient, and would have no instance in tool calls: give it the default scope, or Scope.REQUEST.',
    );
  });

  it('a guard of one provider may have a request-scoped dependency', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Caller {
      constructor(@Inject(REQUEST) readonly values: { readonly user?: string }) {}
    }
    @Injectable()
    class CallerGuard implements CanActivate {
      constructor(private readonly caller: Caller) {}

      canActivate(): boolean {
        return this.caller.values.user === 'Ada';
      }
    }
    @UseGuards(CallerGuard)
    @Injectable()
    class Guarded {
      @ToolMethod(Note, { description: 'Knock.' })
      knock(): string {
        return 'come in';
      }
    }
    const { call } = await start([Caller, Guarded]);

    const outcomes = await Promise.all(
      ['Ada', 'Bob'].map((user) => call('knock', { text: 'x' }, { context: { user } })),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'denied']);
  });
});

describe('interceptors', () => {
  @Injectable()
  class Shout implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler<string>): Observable<string> {
      const execution = toolExecutionOf(context);
      return next
        .handle()
        .pipe(
          map((text) => `${execution?.tool} ${JSON.stringify(execution?.arguments)}: ${text.toUpperCase()}`),
        );
    }
  }
  @Tool({ description: 'Say it.' })
  @UseInterceptors(Shout)
  class Say {
    @IsString()
    word!: string;

    execute(): string {
      return this.word;
    }
  }

  it('see the call, and what the tool returned', async () => {
    const { call } = await start([Say]);

    expect(await call('say', '{"word": "tea",}')).toMatchObject({ result: 'say {"word":"tea"}: TEA' });
  });

  it('stand around all of a generator: they see its result, and filters what it throws', async () => {
    @Catch(NotFoundException)
    class InWords implements ExceptionFilter {
      catch(error: NotFoundException): ToolFailure {
        return new ToolFailure(`Sorry: ${error.message}`);
      }
    }
    @Injectable()
    @UseInterceptors(Shout)
    @UseFilters(InWords)
    class Steps {
      @ToolMethod(Note, { description: 'Walks.' })
      async *walk({ text }: Note): AsyncGenerator<string, string> {
        yield 'one step';
        if (text === 'far') throw new NotFoundException('no way');
        return `to ${text}`;
      }
    }
    const { call } = await start([Steps]);
    const told: unknown[] = [];
    const progress = (update: unknown): unknown => told.push(update);

    expect(await call('walk', { text: 'town' }, { progress })).toMatchObject({
      result: 'walk {"text":"town"}: TO TOWN',
    });
    const failed = await call('walk', { text: 'far' }, { progress });
    expect(toolMessage(failed).text).toBe('Sorry: no way');
    expect(told).toEqual(['one step', 'one step']);
  });

  it('a generator ends with its call', async () => {
    const ended = Promise.withResolvers<string>();
    const wait = Promise.withResolvers<undefined>();
    @Injectable()
    class Steps {
      @ToolMethod(Note, { description: 'Walks.' })
      async *walk(): AsyncGenerator<string> {
        try {
          yield 'one step';
          await wait.promise;
          yield 'another';
          ended.resolve('went on');
        } finally {
          ended.resolve('told to end');
        }
      }
    }
    const { call } = await start([Steps]);
    const abort = new AbortController();
    const outcome = await call(
      'walk',
      { text: 'far' },
      { signal: abort.signal, progress: () => abort.abort() },
    );
    wait.resolve(undefined);

    expect(outcome.status).toBe('cancelled');
    expect(await ended.promise).toBe('told to end');
  });

  it('can answer without the tool, or for one that throws', async () => {
    let runs = 0;
    @Injectable()
    class Cache implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
        return toolExecutionOf(context)?.arguments['text'] === 'known'
          ? of('from the cache')
          : next.handle().pipe(catchError(() => of('caught')));
      }
    }
    @Injectable()
    class Notes {
      @ToolMethod(Note, { description: 'Write.' })
      write(): never {
        runs += 1;
        throw new Error('no disk');
      }
    }
    const { call } = await start([Notes, { provide: APP_INTERCEPTOR, useClass: Cache }]);

    expect(await call('write', { text: 'known' })).toMatchObject({ result: 'from the cache' });
    expect(runs).toBe(0);
    expect(await call('write', { text: 'new' })).toMatchObject({ result: 'caught' });
    expect(runs).toBe(1);
  });

  it('leave progress, the signal and what a tool throws for the model as they are', async () => {
    const told: unknown[] = [];
    @Injectable()
    class Notes {
      @ToolMethod(Note, { description: 'Write.', timeoutMs: 30 })
      async write({ text }: Note, { progress, signal }: ToolContext): Promise<string> {
        progress('begun');
        if (text === 'slow') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new ToolRetry('Write it in English.');
      }
    }
    const { call } = await start([Notes, { provide: APP_INTERCEPTOR, useClass: Shout }]);
    const progress = (update: unknown): unknown => told.push(update);

    expect(await call('write', { text: 'x' }, { progress })).toMatchObject({
      status: 'retry',
      message: 'Write it in English.',
    });
    expect(await call('write', { text: 'slow' })).toMatchObject({ status: 'timed_out' });
    expect(told).toEqual(['begun']);
  });
});

describe('N4: pipes run only where Nest finds a parameter', () => {
  const seen: unknown[] = [];
  beforeEach(() => seen.splice(0));

  @Injectable()
  class Trim implements PipeTransform {
    transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
      seen.push([type, metatype?.name, Object.keys(value as object)]);
      for (const [key, member] of Object.entries(value as object)) {
        if (typeof member === 'string') Reflect.set(value as object, key, member.trim());
      }
      return value;
    }
  }
  @Injectable()
  class Notes {
    @ToolMethod(Note, { description: 'Write.' })
    @UsePipes(Trim)
    write(note: Note, { call }: ToolContext): string {
      return `${call.id} ${note instanceof Note} [${note.text}]`;
    }
  }
  @Tool({ description: 'Say it.' })
  class Say {
    @ArrayOf(String)
    words!: string[];

    @IsString()
    tone!: string;

    execute({ call }: ToolContext): string {
      return `${call.id} ${this instanceof Say} [${this.tone}] ${this.words.join()}`;
    }
  }

  it('they run on the arguments of a tool method, of their class, and not on the context', async () => {
    const { call } = await start([Notes]);

    expect(await call('write', { text: '  tea ' })).toMatchObject({ result: 'call_1 true [tea]' });
    expect(seen).toEqual([['custom', 'Note', ['text']]]);
  });

  it('global ones run on the fields of a tool class too', async () => {
    const { call } = await start([Say, { provide: APP_PIPE, useClass: Trim }]);

    expect(await call('say', { words: ['a'], tone: ' low ' })).toMatchObject({
      result: 'call_1 true [low] a',
    });
    expect(seen).toEqual([['custom', 'Say', ['words', 'tone']]]);
  });

  it('a pipe that returns a copy is heard; what it is told of is not changed in the call', async () => {
    @Injectable()
    class Copy implements PipeTransform {
      transform(value: object): object {
        return { ...value, tone: 'copied', text: 'copied' };
      }
    }
    const { call } = await start([Say, Notes, { provide: APP_PIPE, useClass: Copy }]);

    const outcome = await call('say', { words: ['a'], tone: 'low' });
    expect(outcome).toMatchObject({
      result: 'call_1 true [copied] a',
      interpretation: { status: 'unchanged', value: { words: ['a'], tone: 'low' } },
    });
    expect(await call('write', { text: 'x' })).toMatchObject({ result: 'call_2 false [copied]' });
  });

  it('what a pipe throws ends the call before the tool', async () => {
    @Injectable()
    class Refuse implements PipeTransform {
      transform(): never {
        throw new BadRequestException('No tea here.');
      }
    }
    const { call } = await start([Say, { provide: APP_PIPE, useClass: Refuse }]);

    const outcome = await call('say', { words: ['a'], tone: 'low' });

    expect(outcome).toMatchObject({ status: 'failed', cause: expect.any(BadRequestException) });
    expect(toolMessage(outcome).text).not.toContain('tea');
  });

  it('a global ValidationPipe, made for requests, takes nothing away from a valid call', async () => {
    const { call } = await start([
      Say,
      Notes,
      {
        provide: APP_PIPE,
        useValue: new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
      },
    ]);

    // `words` has no decorator of class-validator, so the pipe would call it unknown.
    expect(await call('say', { words: ['a'], tone: ' x ' })).toMatchObject({ result: 'call_1 true [ x ] a' });
    expect(await call('write', { text: 'y' })).toMatchObject({ result: 'call_2 true [y]' });
  });
});

describe('filters', () => {
  class Gone extends Error {}
  @Injectable()
  class Notes {
    @ToolMethod(Note, { description: 'Write.' })
    write({ text }: Note): never {
      if (text === 'failure') throw new ToolFailure('The pen is broken.');
      throw text === 'missing' ? new NotFoundException('There is no such note.') : new Gone(`secret ${text}`);
    }
  }

  it('without one the model reads an error id, and the application has the exception', async () => {
    const { call } = await start([Notes]);

    const outcome = await call('write', { text: 'missing' });

    expect(outcome).toMatchObject({ status: 'failed', cause: expect.any(NotFoundException) });
    expect(toolMessage(outcome).text).toMatch(/^write failed with an internal error \(error [0-9a-f]+\)\.$/);
  });

  it('can make of an exception what the model is to read, thrown or returned', async () => {
    @Catch(NotFoundException)
    class Missing implements ExceptionFilter {
      catch({ message }: NotFoundException, host: ArgumentsHost): never {
        throw new ToolRetry(`${toolExecutionOf(host)?.tool}: ${message} Call list_notes.`);
      }
    }
    @Catch(Gone)
    class GoneFilter implements ExceptionFilter {
      catch(): ToolFailure {
        return new ToolFailure('It is gone.');
      }
    }
    @UseFilters(Missing, GoneFilter)
    @Injectable()
    class Filtered extends Notes {}
    const { call } = await start([Filtered]);

    expect(await call('write', { text: 'missing' })).toMatchObject({
      status: 'retry',
      message: 'write: There is no such note. Call list_notes.',
    });
    expect(await call('write', { text: 'x' })).toMatchObject({ status: 'failed', message: 'It is gone.' });
  });

  it('N5: whatever else one returns is no result: the call has failed', async () => {
    @Catch()
    class AnswerAll implements ExceptionFilter {
      catch(): unknown {
        return { statusCode: 404, message: 'answered' };
      }
    }
    const { call } = await start([Notes, { provide: APP_FILTER, useClass: AnswerAll }]);

    const outcome = await call('write', { text: 'x' });

    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception', cause: expect.any(Gone) });
    expect(toolMessage(outcome).text).not.toContain('answered');
  });

  it('are not asked about what a tool throws for the model', async () => {
    let asked = 0;
    @Catch()
    class Count implements ExceptionFilter {
      catch(error: unknown): never {
        asked += 1;
        throw error;
      }
    }
    const { call } = await start([Notes, { provide: APP_FILTER, useClass: Count }]);

    expect(await call('write', { text: 'failure' })).toMatchObject({ message: 'The pen is broken.' });
    expect(asked).toBe(0);
    await call('write', { text: 'x' });
    expect(asked).toBe(1);
  });

  it('one that breaks hides nothing: both exceptions are kept', async () => {
    // Made for HTTP: there is no response here.
    @Catch()
    class HttpFilter implements ExceptionFilter {
      catch(_error: unknown, host: ArgumentsHost): void {
        host.switchToHttp().getResponse<{ status(code: number): void }>().status(500);
      }
    }
    const { call } = await start([Notes, { provide: APP_FILTER, useClass: HttpFilter }]);

    const outcome = await call('write', { text: 'x' });

    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception' });
    const { cause } = outcome as { cause: AggregateError };
    expect(cause.errors).toEqual([expect.any(Gone), expect.any(TypeError)]);
  });
});
