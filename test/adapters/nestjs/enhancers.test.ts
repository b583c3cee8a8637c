// Guards, interceptors, pipes and filters of an application around tool calls.
import {
  BadRequestException,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  type NestInterceptor,
  NotFoundException,
  type Provider,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_PIPE, Reflector, REQUEST } from '@nestjs/core';
import { IsString } from 'class-validator';
import { catchError, map, type Observable, of, tap } from 'rxjs';
import {
  ArrayOf,
  Tool,
  type ToolContext,
  ToolFailure,
  ToolMethod,
  toolMessage,
  ToolRetry,
} from 'toolmend';
import { toolContextType, toolExecutionOf } from 'toolmend/nestjs';
import { thrower, toolOf } from '../../tools.ts';
import {
  appFilter,
  appGuard,
  appInterceptor,
  appPipe,
  filterOf,
  moduleOf,
  Note,
  providerOf,
  start,
  startModules,
} from './nest-app.ts';
import { RecordingLogger } from './recording-logger.ts';

/** As a filter for HTTP returns it. */
const response = { statusCode: 200, message: 'all is well' };

describe('a guard', () => {
  let written: string[] = [];
  beforeEach(() => {
    written = [];
  });

  @Injectable()
  class RoleGuard implements CanActivate {
    constructor(private readonly reflector: Reflector) {}
    canActivate(context: ExecutionContext): boolean {
      const targets = [context.getHandler(), context.getClass()];
      const role = this.reflector.getAllAndOverride<string | undefined>('role', targets);
      return role === undefined || toolExecutionOf(context)?.values['role'] === role;
    }
  }

  @Injectable()
  @UseGuards(RoleGuard)
  class Notes {
    @ToolMethod(Note, { description: 'Write a note.' })
    write({ text }: Note): string {
      written.push(text);
      return 'written';
    }

    @SetMetadata('role', 'manager')
    @ToolMethod(Note, { description: 'Remove a note.', effects: 'destructive' })
    remove({ text }: Note): string {
      written.push(`removed ${text}`);
      return 'removed';
    }
  }

  @Tool({ description: 'Read the notes.' })
  @SetMetadata('role', 'manager')
  @UseGuards(RoleGuard)
  class ReadNotes {
    execute(): readonly string[] {
      return written;
    }
  }

  it('denies a call of a method or a class by its metadata, and nothing runs', async () => {
    const { call } = await start([Notes, ReadNotes]);
    const manager = { context: { role: 'manager' } };
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
    expect(await call('remove', { text: 'a' }, manager)).toMatchObject({ result: 'removed' });
    expect(await call('read_notes', {}, manager)).toMatchObject({ result: ['a', 'removed a'] });
  });

  it('denies even if a filter returns something', async () => {
    const { call } = await start([Notes, appFilter(() => response)]);
    const outcome = await call('remove', { text: 'a' });
    expect(outcome.status).toBe('denied');
    expect(toolMessage(outcome).text).not.toContain('all is well');
    expect(written).toEqual([]);
  });

  it('gives the reason with its exception, which a filter can rewrite for the model', async () => {
    const night = appGuard(async (context) => {
      const at = toolExecutionOf(context)?.values['at'];
      if (at === 'night') throw new ForbiddenException('Notes are written by day.');
      if (at === 'noon') throw new HttpException('Too many notes.', 429);
      if (at === 'dusk') throw new ForbiddenException(' ');
      return at === 'day';
    });
    const forModels = appFilter(({ message }: ForbiddenException) => {
      throw new ToolRetry(`Not now (${message})`);
    }, ForbiddenException);
    const plain = await start([Notes, night]);
    const filtered = await start([Notes, night, forModels]);
    const textOf = async ({ call }: typeof plain, at: string) =>
      toolMessage(await call('write', { text: 'a' }, { context: { at } })).text;
    expect(await textOf(plain, 'day')).toBe('written');
    expect(await textOf(plain, 'night')).toBe('write was not executed.\nNotes are written by day.');
    expect(await textOf(plain, 'noon')).toBe('write was not executed.\nToo many notes.');
    expect(await textOf(plain, 'dusk')).toContain('\nThe application does not allow this call.');
    const filteredText = 'write was not executed.\nNot now (Notes are written by day.)';
    expect(await textOf(filtered, 'night')).toBe(filteredText);
  });

  it('runs before an approval is requested', async () => {
    const { call } = await start([Notes], { approval: {} });
    expect(await call('remove', { text: 'a' })).toMatchObject({ status: 'denied' });
    const asked = await call('remove', { text: 'a' }, { context: { role: 'manager' } });
    expect(asked).toMatchObject({ status: 'approval_required' });
  });

  it('that is broken lets nothing run, and the model reads an error id', async () => {
    // Made for HTTP: there are no headers here.
    const forHttp = appGuard(
      (context) =>
        context.switchToHttp().getRequest<{ headers: { token: string } }>().headers.token === 'x',
    );
    const { call } = await start([Notes, forHttp]);
    const outcome = await call('write', { text: 'a' });
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: 'exception',
      cause: expect.any(TypeError),
    });
    expect(toolMessage(outcome).text).toMatch(/^write was not executed\.\n.*error [0-9a-f]+/);
    expect(written).toEqual([]);
  });

  it('that is global and request-scoped runs for tools that are not classes too', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class TenantGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly values: { readonly tenant?: string }) {}
      canActivate(context: ExecutionContext): boolean {
        return context.getType<string>() === toolContextType && this.values.tenant === 'acme';
      }
    }
    const now = toolOf(() => 'noon', { name: 'now' });
    const { call } = await start([Notes, { provide: APP_GUARD, useClass: TenantGuard }], {
      tools: [now],
    });
    for (const [name, sent] of Object.entries({ now: {}, write: { text: 'a' } })) {
      expect(await call(name, sent)).toMatchObject({ status: 'denied' });
      expect(await call(name, sent, { context: { tenant: 'acme' } })).toMatchObject({
        status: 'completed',
      });
    }
  });

  it('that is global and transient is refused at the start', async () => {
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

  it('may have a request-scoped dependency', async () => {
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
    const { call } = await start([Caller, providerOf(() => 'come in', {}, UseGuards(CallerGuard))]);
    const callBy = (user: string) => call('write', { text: 'x' }, { context: { user } });
    const outcomes = await Promise.all(['Ada', 'Bob'].map(callBy));
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'denied']);
  });
});

describe('an interceptor', () => {
  @Injectable()
  class Shout implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler<string>): Observable<string> {
      const { tool, arguments: sent } = toolExecutionOf(context) ?? {};
      return next
        .handle()
        .pipe(map((text) => `${tool} ${JSON.stringify(sent)}: ${text.toUpperCase()}`));
    }
  }

  it('sees the result of a generator, and filters see what it throws', async () => {
    async function* walk({ text }: Note): AsyncGenerator<string, string> {
      yield 'one step';
      if (text === 'far') throw new NotFoundException('no way');
      return `to ${text}`;
    }
    const sorry = filterOf(
      ({ message }: Error) => new ToolFailure(`Sorry: ${message}`),
      NotFoundException,
    );
    const walking = providerOf(walk, { name: 'walk' }, UseInterceptors(Shout), UseFilters(sorry));
    const { call } = await start([walking]);
    const updates: unknown[] = [];
    const progress = (update: unknown): unknown => updates.push(update);
    const walked = await call('walk', { text: 'town' }, { progress });
    expect(walked).toMatchObject({ result: 'walk {"text":"town"}: TO TOWN' });
    expect(toolMessage(await call('walk', { text: 'far' }, { progress })).text).toBe(
      'Sorry: no way',
    );
    expect(updates).toEqual(['one step', 'one step']);
  });

  it('does not keep a generator running after its call', async () => {
    const ended = Promise.withResolvers<string>();
    const wait = Promise.withResolvers<undefined>();
    async function* walk(): AsyncGenerator<string> {
      try {
        yield 'one step';
        await wait.promise;
        yield 'another';
        ended.resolve('went on');
      } finally {
        ended.resolve('told to end');
      }
    }
    const { call } = await start([providerOf(walk)]);
    const abort = new AbortController();
    const progress = (): void => abort.abort();
    const outcome = await call('write', { text: 'far' }, { signal: abort.signal, progress });
    wait.resolve(undefined);
    expect(outcome.status).toBe('cancelled');
    expect(await ended.promise).toBe('told to end');
  });

  it('can answer without the tool, or in the place of one that throws', async () => {
    let runs = 0;
    const broken = providerOf(() => {
      runs += 1;
      throw new Error('no disk');
    });
    const cache = appInterceptor((context, next) =>
      toolExecutionOf(context)?.arguments['text'] === 'known'
        ? of('from the cache')
        : next.handle().pipe(catchError(() => of('caught'))),
    );
    const { call } = await start([broken, cache]);
    expect(await call('write', { text: 'known' })).toMatchObject({ result: 'from the cache' });
    expect(runs).toBe(0);
    expect(await call('write', { text: 'new' })).toMatchObject({ result: 'caught' });
    expect(runs).toBe(1);
  });

  it('leaves progress, the signal and signals for the model as they are', async () => {
    const updates: unknown[] = [];
    const write = async ({ text }: Note, { progress, signal }: ToolContext): Promise<never> => {
      progress('begun');
      if (text === 'slow')
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new ToolRetry('Write it in English.');
    };
    const { call } = await start([providerOf(write, {}, UseInterceptors(Shout))]);
    const progress = (update: unknown): unknown => updates.push(update);
    const retry = { status: 'retry', message: 'Write it in English.' };
    expect(await call('write', { text: 'x' }, { progress })).toMatchObject(retry);
    const slow = await call('write', { text: 'slow' }, { timeoutMs: 30 });
    expect(slow).toMatchObject({ status: 'timed_out' });
    expect(updates).toEqual(['begun']);
  });
});

describe('a pipe', () => {
  const Notes = providerOf((note, { call }) => `${call.id} ${note instanceof Note} [${note.text}]`);
  @Tool({ description: 'Say it.' })
  class Say {
    @ArrayOf(String) words!: string[];
    @IsString() tone!: string;
    execute({ call }: ToolContext): string {
      return `${call.id} ${this instanceof Say} [${this.tone}] ${this.words.join()}`;
    }
  }
  const said = { words: ['a'], tone: ' low ' };

  it('runs on the arguments of a method, or the fields of a class, and not on the context', async () => {
    const seen: unknown[] = [];
    const trim = appPipe((value: object, { type, metatype }) => {
      seen.push([type, metatype?.name, Object.keys(value)]);
      for (const [key, member] of Object.entries(value))
        if (typeof member === 'string') Reflect.set(value, key, member.trim());
      return value;
    });
    const { call } = await start([Notes, Say, trim]);
    expect(await call('write', { text: '  tea ' })).toMatchObject({ result: 'call_1 true [tea]' });
    expect(await call('say', said)).toMatchObject({ result: 'call_2 true [low] a' });
    expect(seen).toEqual([
      ['custom', 'Note', ['text']],
      ['custom', 'Say', ['words', 'tone']],
    ]);
  });

  it('of a class runs', async () => {
    const upper = { transform: ({ text }: Note) => ({ text: text.toUpperCase() }) };
    const { call } = await start([providerOf(({ text }) => text, {}, UsePipes(upper))]);
    expect(await call('write', { text: 'tea' })).toMatchObject({ result: 'TEA' });
  });

  it('may return a copy; the call itself is not changed', async () => {
    const copy = appPipe((value: object) => ({ ...value, tone: 'copied', text: 'copied' }));
    const { call } = await start([Say, Notes, copy]);
    const interpretation = { status: 'unchanged', value: said };
    expect(await call('say', said)).toMatchObject({
      result: 'call_1 true [copied] a',
      interpretation,
    });
    expect(await call('write', { text: 'x' })).toMatchObject({ result: 'call_2 false [copied]' });
  });

  it('ends the call before the tool if it throws', async () => {
    const refuse = appPipe(thrower(new BadRequestException('No tea here.')));
    const { call } = await start([Say, refuse]);
    const outcome = await call('say', said);
    expect(outcome).toMatchObject({
      status: 'failed',
      cause: { cause: expect.any(BadRequestException) },
    });
    expect(toolMessage(outcome).text).toBe('No tea here.');
  });

  it.each([undefined, null, 'tea'])(
    'that returns %j for a class ends the call',
    async (returned) => {
      const { call } = await start([Say, appPipe(() => returned)]);
      const message =
        'a pipe did not return an object for Say: return the value, or a copy of its fields';
      const cause = { code: 'pipe-result', message };
      expect(await call('say', said)).toMatchObject({
        status: 'failed',
        reason: 'exception',
        cause,
      });
    },
  );

  it('that is Nest’s ValidationPipe takes nothing away from a valid call', async () => {
    // `words` has no decorator of class-validator, so the pipe would refuse it.
    const useValue = new ValidationPipe({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
    });
    const { call } = await start([Say, Notes, { provide: APP_PIPE, useValue }]);
    expect(await call('say', said)).toMatchObject({ result: 'call_1 true [ low ] a' });
    expect(await call('write', { text: 'y' })).toMatchObject({ result: 'call_2 true [y]' });
  });
});

describe('a filter', () => {
  class Gone extends Error {}
  const thrown = new Map<string, Error>([
    ['failure', new ToolFailure('The pen is broken.')],
    ['missing', new NotFoundException('There is no such note.')],
    ['offline', new HttpException('secret', 503)],
    ['invalid', new BadRequestException(['text must be short', 'text must rhyme'])],
  ]);
  const Notes = providerOf(({ text }) => thrower(thrown.get(text) ?? new Gone(`secret ${text}`))());

  const internal = /^write failed with an internal error \(error [0-9a-f]+\)\.$/;
  const retry = appFilter(({ message }: NotFoundException, host) => {
    throw new ToolRetry(`${toolExecutionOf(host)?.tool}: ${message} Call list_notes.`);
  }, NotFoundException);
  const failure = appFilter(() => new ToolFailure('It is gone.'), Gone);
  const returning = appFilter(() => response);
  const conflict = appFilter((error) => {
    throw error instanceof Gone
      ? new HttpException('It is locked.', 409)
      : new HttpException('secret', 500);
  });
  // Made for HTTP: there is no response here.
  const broken = appFilter((_error, host) => {
    host.switchToHttp().getResponse<{ status(code: number): void }>().status(500);
  });
  const bothOf = (first: unknown) => ({ errors: [expect.any(first), expect.any(TypeError)] });
  const bothDeclared = { cause: { cause: bothOf(NotFoundException) } };
  const declared = {
    status: 'failed',
    reason: 'declared',
    cause: { cause: expect.any(NotFoundException) },
  };

  it.each<[string, string, Provider[], string | RegExp, object]>([
    [
      'is not needed for an HttpException below 500',
      'missing',
      [],
      /^There is no such note\.$/,
      declared,
    ],
    [
      'is not needed for an error',
      'x',
      [],
      internal,
      { reason: 'exception', cause: expect.any(Gone) },
    ],
    [
      'is not needed for an HttpException from 500 on',
      'offline',
      [],
      internal,
      { reason: 'exception' },
    ],
    [
      'is not needed for several messages',
      'invalid',
      [],
      'text must be short; text must rhyme',
      {},
    ],
    [
      'can throw what the model reads',
      'missing',
      [retry],
      'write: There is no such',
      { status: 'retry' },
    ],
    ['can return what the model reads', 'x', [failure], 'It is gone.', { status: 'failed' }],
    [
      'can make an HttpException of an error',
      'x',
      [conflict],
      'It is locked.',
      { status: 'failed' },
    ],
    [
      'can make another HttpException of one',
      'missing',
      [conflict],
      internal,
      { reason: 'exception' },
    ],
    ['cannot make a value the result', 'x', [returning], internal, { cause: expect.any(Gone) }],
    [
      'that is broken hides no error',
      'x',
      [broken],
      internal,
      { reason: 'exception', cause: bothOf(Gone) },
    ],
    [
      'that is broken hides no HttpException',
      'missing',
      [broken],
      'There is no such note.',
      bothDeclared,
    ],
  ])('%s', async (_title, text, filters, said, expected) => {
    const { call } = await start([Notes, ...filters]);
    const outcome = await call('write', { text });
    expect(outcome).toMatchObject(expected);
    expect(toolMessage(outcome)).toMatchObject({
      text: expect.stringMatching(said),
      isError: true,
    });
  });

  it('does not see what a tool throws for the model', async () => {
    const seen: unknown[] = [];
    const count = appFilter((error) => {
      seen.push(error);
      throw error;
    });
    const { call } = await start([Notes, count]);
    expect(await call('write', { text: 'failure' })).toMatchObject({
      message: 'The pen is broken.',
    });
    await call('write', { text: 'x' });
    expect(seen).toEqual([expect.any(Gone)]);
  });
});

describe('a question of a tool', () => {
  const ask = (context: ToolContext): Promise<unknown> =>
    context.ask({
      question: 'Which ink?',
      schema: { type: 'object', properties: { ink: { type: 'string' } }, required: ['ink'] },
    });
  const answer = { action: 'accept', content: { ink: 'blue' } } as const;

  let filtered: unknown[] = [];
  beforeEach(() => {
    filtered = [];
  });
  const record = (error: Error): never => {
    filtered.push(error);
    throw error;
  };

  /** The outcomes of an unanswered and of an answered call, and the errors in Nest's log. */
  async function asked(
    write: (note: Note, context: ToolContext) => unknown,
    ...parts: readonly Provider[]
  ) {
    const logger = new RecordingLogger();
    const Notes = providerOf(write, {}, UseFilters(filterOf(record, HttpException)));
    const { call } = await startModules([moduleOf([Notes, ...parts])], {}, (builder) =>
      builder.setLogger(logger),
    );
    const open = await call('write', { text: 'tea' });
    const answered = await call('write', { text: 'tea' }, { elicit: () => answer });
    return { open, answered, errors: logger.of('ExceptionsHandler') };
  }

  const waits = { status: 'input_required', question: { question: 'Which ink?' } };
  const goesOn = { status: 'completed', result: { ink: 'blue' } };
  const rewriteErrors = appInterceptor((_context, next) =>
    next.handle().pipe(
      catchError(() => {
        throw new HttpException('It is locked.', 409);
      }),
    ),
  );
  const replaceErrors = appInterceptor((_context, next) =>
    next.handle().pipe(catchError(() => of('caught'))),
  );

  it.each<[string, Provider[]]>([
    ['a filter of its class', []],
    ['a filter of the application', [appFilter(record)]],
    ['an interceptor that rewrites errors', [rewriteErrors]],
    ['an interceptor that answers in the place of errors', [replaceErrors]],
    ['a guard and a pipe', [appGuard(() => true), appPipe((note: object) => ({ ...note }))]],
  ])('gets past %s, and no error is logged', async (_title, parts) => {
    const { open, answered, errors } = await asked((_note, context) => ask(context), ...parts);
    expect([open, answered]).toMatchObject([waits, goesOn]);
    expect({ filtered, errors }).toEqual({ filtered: [], errors: [] });
  });

  it('gets past filters if the tool throws another error in its place', async () => {
    const { open, answered, errors } = await asked((_note, context) =>
      ask(context).catch(thrower(new NotFoundException('No ink.'))),
    );
    expect([open, answered]).toMatchObject([waits, goesOn]);
    expect({ filtered, errors }).toEqual({ filtered: [], errors: [] });
  });

  it('is an error for interceptors, and all parts run again for its answer', async () => {
    const steps: string[] = [];
    const note = (step: string) => () => steps.push(step);
    const guard = appGuard(() => steps.push('guard') > 0);
    const pipe = appPipe((value: object) => {
      steps.push('pipe');
      return value;
    });
    const transaction = appInterceptor((_context, next) =>
      next.handle().pipe(tap({ next: note('commit'), error: note('roll back') })),
    );
    const { answered } = await asked((_note, context) => ask(context), guard, pipe, transaction);
    expect(answered).toMatchObject(goesOn);
    const unansweredRun = ['guard', 'pipe', 'roll back'];
    // The first call stays unanswered. The second has a run that asks, and one that has the answer.
    expect(steps).toEqual([...unansweredRun, ...unansweredRun, 'guard', 'pipe', 'commit']);
  });

  it('hides no error that is thrown after its answer', async () => {
    const { open, answered } = await asked(async (_note, context) => {
      await ask(context);
      throw new NotFoundException('No paper.');
    });
    expect(open).toMatchObject(waits);
    expect(answered).toMatchObject({ status: 'failed', message: 'No paper.' });
    expect(filtered).toEqual([expect.any(NotFoundException)]);
  });
});
