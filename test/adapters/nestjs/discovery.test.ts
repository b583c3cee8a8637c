// Do the tools of a Nest application come into its registry, from wherever its modules list them, with what they depend on?
import { Controller, Inject, Injectable, Module, Scope } from '@nestjs/common';
import { ModuleRef, NestFactory, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { ArrayOf, defineTool, Tool, type ToolContext, ToolMethod, ToolRegistry } from 'toolmend';
import { compileTools, ToolmendModule } from 'toolmend/nestjs';
import { RecordingLogger } from './recording-logger.ts';

@Injectable()
class Shelf {
  readonly books = ['Emma', 'Dune'];
}

@Tool({ description: 'Find books.', effects: 'read' })
class FindBooks {
  @ArrayOf(String)
  words!: string[];

  constructor(private readonly shelf: Shelf) {}

  execute(): unknown {
    return { books: this.shelf.books.filter((title) => this.words.includes(title)), words: this.words };
  }
}

class LendBook {
  @IsString()
  title!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  days?: number;
}

@Injectable()
class Desk {
  static made = 0;

  constructor(private readonly shelf: Shelf) {
    Desk.made += 1;
  }

  @ToolMethod(LendBook, { description: 'Lend a book.', effects: 'write' })
  lend({ title, days = 14 }: LendBook, { call }: ToolContext): string {
    return `${call.id}: ${title} for ${days} days, of ${this.shelf.books.length}`;
  }
}

@Module({ providers: [Shelf, FindBooks, Desk], exports: [Shelf] })
class LibraryModule {}

const builder = (...imports: readonly NonNullable<Parameters<typeof Module>[0]['imports']>[number][]) =>
  Test.createTestingModule({ imports: [ToolmendModule.forRoot({}), ...imports] }).setLogger(
    new RecordingLogger(),
  );

describe('tools', () => {
  it('are found in every module, and get what they depend on', async () => {
    const { tools, call, close } = await compileTools(builder(LibraryModule));

    expect(tools.names().toSorted()).toEqual(['find_books', 'lend']);
    expect(await call('find_books', '{"words": ["Emma", "Ulysses"]}')).toMatchObject({
      status: 'completed',
      interpretation: { status: 'unchanged' },
      result: { books: ['Emma'], words: ['Emma', 'Ulysses'] },
    });
    expect(await call('lend', { title: 'Dune' })).toMatchObject({ result: 'call_2: Dune for 14 days, of 2' });
    await close();
  });

  it('are mended as everywhere else', async () => {
    const { call, close } = await compileTools(builder(LibraryModule));

    const outcome = await call('find_books', '{"words": "[\\"Dune\\"]"}');

    expect(outcome).toMatchObject({
      status: 'completed',
      interpretation: { status: 'repaired', repairs: [{ rule: 'json_text_to_array' }] },
      result: { books: ['Dune'] },
    });
    expect(await call('lend', { title: 'Dune', days: null })).toMatchObject({
      interpretation: { repairs: [{ rule: 'drop_null' }] },
    });
    expect(await call('lend', { title: 'Dune', days: 0 })).toMatchObject({ status: 'invalid_arguments' });
    await close();
  });

  it('that are classes get an instance for each call; providers of methods stay what Nest makes of them', async () => {
    Desk.made = 0;
    const instances = new Set<unknown>();
    @Tool({ description: 'Look at itself.' })
    class Look {
      execute(): string {
        instances.add(this);
        return 'seen';
      }
    }
    @Module({ providers: [Look] })
    class LookModule {}
    const { call, close } = await compileTools(builder(LibraryModule, LookModule));

    await Promise.all([call('look', {}), call('look', {}), call('lend', { title: 'Emma' })]);
    await call('lend', { title: 'Emma' });

    expect(instances.size).toBe(2);
    expect(Desk.made).toBe(1);
    await close();
  });

  it('can be brought along by forFeature, with the modules they depend on', async () => {
    @Module({ providers: [Shelf], exports: [Shelf] })
    class ShelfModule {}

    const { tools, call, close } = await compileTools(
      builder(ToolmendModule.forFeature([FindBooks, Desk], { imports: [ShelfModule] })),
    );

    expect(tools.names()).toEqual(['find_books', 'lend']);
    expect(await call('find_books', { words: ['Dune'] })).toMatchObject({ result: { books: ['Dune'] } });
    await close();
  });

  it('are found behind factories, values and other tokens', async () => {
    class Bell {
      constructor(private readonly tone: string) {}

      @ToolMethod(LendBook, { description: 'Ring.', name: 'ring' })
      ring(): string {
        return this.tone;
      }
    }
    class Drum extends Bell {
      @ToolMethod(LendBook, { description: 'Beat.', name: 'beat' })
      beat(): string {
        return 'bum';
      }

      override ring(): string {
        return 'no ring';
      }
    }
    @Module({
      providers: [
        { provide: 'BELL', useFactory: async () => new Bell('ding') },
        { provide: 'SHELF', useClass: Shelf },
        { provide: 'SAME', useExisting: 'BELL' },
      ],
    })
    class BellModule {}
    @Module({ providers: [{ provide: 'DESK', useValue: new Drum('dong') }] })
    class DrumModule {}

    const one = await compileTools(builder(BellModule));
    expect(await one.call('ring', { title: 'x' })).toMatchObject({ result: 'ding' });
    await one.close();
    const two = await compileTools(builder(DrumModule));
    expect(await two.call('beat', { title: 'x' })).toMatchObject({ result: 'bum' });
    await two.close();
  });

  it('that are no classes come by the options, with forRootAsync too', async () => {
    @Module({ providers: [{ provide: 'WORD', useValue: 'hello' }], exports: ['WORD'] })
    class WordModule {}
    const { call, close } = await compileTools(
      Test.createTestingModule({
        imports: [
          ToolmendModule.forRootAsync({
            imports: [WordModule],
            inject: ['WORD'],
            useFactory: (word: string) => ({
              context: { word },
              tools: [
                defineTool({
                  name: 'greet',
                  description: 'Greet.',
                  inputSchema: { type: 'object', properties: {} },
                  execute: (_values, { values }) => values['word'],
                }),
              ],
            }),
          }),
        ],
      }),
    );

    expect(await call('greet', '{}')).toMatchObject({ status: 'completed', result: 'hello' });
    await close();
  });

  it('are there for any provider, as soon as it is made', async () => {
    let seen: readonly string[] = [];
    @Injectable()
    class Agent {
      constructor(tools: ToolRegistry) {
        seen = tools.names();
      }
    }
    @Module({ providers: [Agent] })
    class AgentModule {}

    const { close } = await compileTools(builder(LibraryModule, AgentModule));

    expect(seen.toSorted()).toEqual(['find_books', 'lend']);
    await close();
  });

  it('can be overridden in a test as any provider', async () => {
    const { call, close } = await compileTools(
      builder(LibraryModule)
        .overrideProvider(Shelf)
        .useValue({ books: ['Middlemarch'] }),
    );

    expect(await call('find_books', { words: ['Middlemarch'] })).toMatchObject({
      result: { books: ['Middlemarch'] },
    });
    await close();
  });
});

describe('N1: the ModuleRef of the application is not that of the module that has the tool', () => {
  it('a dependency that its module keeps to itself reaches the tool', async () => {
    @Injectable()
    class Private {
      readonly word = 'private';
    }
    @Tool({ description: 'Tell.' })
    class Tell {
      constructor(private readonly own: Private) {}

      execute(): string {
        return this.own.word;
      }
    }
    @Module({ providers: [Private, Tell] })
    class TellModule {}
    const { module, call, close } = await compileTools(builder(LibraryModule, TellModule));

    // The trap: from elsewhere the dependency can't be seen.
    const elsewhere = module.select(LibraryModule).get(ModuleRef, { strict: true });
    await expect(elsewhere.create(Tell)).rejects.toThrow(/resolve dependencies/);
    expect(await call('tell', {})).toMatchObject({ status: 'completed', result: 'private' });
    await close();
  });
});

describe('N2: a constructor without types would get undefined in silence', () => {
  class Untyped {
    static declared = 0;
  }
  // As a compiler that emits no types leaves it.
  class Silent {
    constructor(readonly store: Untyped) {}

    read(): string {
      return typeof this.store;
    }
  }
  Reflect.apply(ToolMethod(LendBook, { description: 'Read.' }), undefined, [
    Silent.prototype,
    'read',
    Object.getOwnPropertyDescriptor(Silent.prototype, 'read'),
  ]);

  it('Nest injects nothing and says nothing', async () => {
    const module = await Test.createTestingModule({ providers: [Silent] }).compile();

    expect(module.get(Silent).store).toBeUndefined();
  });

  it('it is refused at the start, with what to write', async () => {
    @Module({ providers: [Silent] })
    class SilentModule {}

    await expect(compileTools(builder(SilentModule))).rejects.toThrow(
      'Silent has no types for its constructor, and parameter 1 would be undefined: ' +
        'compile with emitDecoratorMetadata and a decorator on the class, or write @Inject(Token).',
    );
  });

  it('a token that is named is enough', async () => {
    class Named extends Silent {}
    Reflect.apply(Inject(Shelf), undefined, [Named, undefined, 0]);
    @Module({ providers: [Shelf, Named] })
    class NamedModule {}

    const { call, close } = await compileTools(builder(NamedModule));

    expect(await call('read', { title: 'x' })).toMatchObject({ status: 'completed' });
    await close();
  });
});

describe('N3: a request-scoped dependency', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Visitor {
    static made = 0;
    readonly number: number;

    constructor(@Inject(REQUEST) readonly request: { readonly user?: string }) {
      Visitor.made += 1;
      this.number = Visitor.made;
    }
  }
  @Tool({ description: 'Who is it?' })
  class WhoIsIt {
    constructor(private readonly visitor: Visitor) {}

    execute(): unknown {
      return { user: this.visitor.request.user, number: this.visitor.number };
    }
  }
  @Injectable()
  class Porter {
    constructor(private readonly visitor: Visitor) {}

    @ToolMethod(LendBook, { description: 'Greet.' })
    greet(): unknown {
      return { user: this.visitor.request.user, number: this.visitor.number };
    }
  }
  @Module({ providers: [Visitor, WhoIsIt, Porter] })
  class VisitorModule {}

  it('Nest refuses to create the tool without a context', async () => {
    const { module, close } = await compileTools(builder(VisitorModule));

    await expect(module.select(VisitorModule).get(ModuleRef).create(WhoIsIt)).rejects.toThrow(
      /request-scoped/i,
    );
    await close();
  });

  it.each(['who_is_it', 'greet'])('is made for each call of %s, which is its request', async (name) => {
    const { call, close } = await compileTools(builder(VisitorModule));
    const sent = name === 'greet' ? { title: 'x' } : {};

    const [ada, bob] = await Promise.all([
      call(name, sent, { context: { user: 'Ada' } }),
      call(name, sent, { context: { user: 'Bob' } }),
    ]);

    expect([ada, bob]).toMatchObject([{ result: { user: 'Ada' } }, { result: { user: 'Bob' } }]);
    await close();
  });

  it('is shared by the calls of one request, where the application says what that is', async () => {
    const { call, close } = await compileTools(
      Test.createTestingModule({
        imports: [
          ToolmendModule.forRoot({
            request: ({ http }) => (typeof http === 'object' && http ? http : undefined),
          }),
          VisitorModule,
        ],
      }),
    );
    Visitor.made = 0;
    const context = { http: { user: 'Ada' } };

    const outcomes = [
      await call('who_is_it', {}, { context }),
      await call('greet', { title: 'x' }, { context }),
      await call('greet', { title: 'x' }, { context: { http: { user: 'Bob' } } }),
    ];

    expect(outcomes).toMatchObject([
      { result: { user: 'Ada', number: 1 } },
      { result: { user: 'Ada', number: 1 } },
      { result: { user: 'Bob', number: 2 } },
    ]);
    await close();
  });
});

describe('mistakes', () => {
  it('end the start, all of them in one error', async () => {
    @Tool({ description: '' })
    class NoWords {
      @IsString()
      word!: string;

      execute(): void {}
    }
    @Controller('books')
    class BooksController {
      @ToolMethod(LendBook, { description: 'Lend.' })
      lend(): void {}
    }
    @Tool({ description: 'Made elsewhere.' })
    class Made {
      execute(): void {}
    }
    @Module({ providers: [Desk, Shelf] })
    class SecondModule {}
    @Module({
      imports: [LibraryModule, SecondModule],
      controllers: [BooksController],
      providers: [NoWords, { provide: Made, useFactory: () => new Made() }],
    })
    class FaultyModule {}

    const start = compileTools(builder(FaultyModule));

    await expect(start).rejects.toMatchObject({ name: 'DefinitionError' });
    await start.catch(({ problems }) =>
      expect(problems.map(({ where, what }: Record<string, string>) => `${where} ${what}`)).toEqual([
        'BooksController is a controller and has a tool',
        'Made is a @Tool, which gets a new instance for each call, and is provided as a value or by a factory',
        'Desk is provided by LibraryModule and by SecondModule',
        expect.stringContaining('NoWords has "" for description'),
      ]),
    );
  });

  it('end NestFactory.create too', async () => {
    @Tool({ description: 'Nothing to run.' })
    class Idle {
      @IsString()
      word!: string;
    }
    @Module({ imports: [ToolmendModule.forRoot({})], providers: [Idle] })
    class IdleModule {}

    await expect(NestFactory.create(IdleModule, { abortOnError: false, logger: false })).rejects.toThrow(
      'Idle has no method execute',
    );
  });

  it('a class that is no provider is not run: no guard would stand before it', async () => {
    const { tools, call, close } = await compileTools(builder());
    tools.register(Desk);

    const outcome = await call('lend', { title: 'Emma' });

    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception' });
    expect(outcome.status === 'failed' && String(outcome.cause)).toContain(
      'Desk is not a provider of any module',
    );
    await close();
  });
});
