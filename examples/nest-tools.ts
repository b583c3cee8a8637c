// Makes tools of Nest providers: a class, and a service's method with a guard.
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, Min } from 'class-validator';
import { ArrayOf, FromContext, Tool, toolMessage, ToolMethod, ToolRegistry } from 'toolmend';
import { ToolmendModule, toolExecutionOf } from 'toolmend/nestjs';

@Injectable()
class Library {
  readonly lent = new Map([['Emma', 'ada']]);
}

@Tool({ description: 'Which of these books are in?', effects: 'read' })
class FindBooks {
  @ArrayOf(String)
  titles!: string[];

  constructor(private readonly library: Library) {} // injected; never an argument

  execute(): readonly string[] {
    return this.titles.filter((title) => !this.library.lent.has(title));
  }
}

class LendBook {
  @IsString()
  title!: string;

  @IsInt()
  @Min(1)
  days!: number;

  @FromContext()
  reader!: string;
}

@Injectable()
class ReadersOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return toolExecutionOf(context)?.values['reader'] !== 'guest';
  }
}

@Injectable()
class Desk {
  constructor(private readonly library: Library) {}

  @UseGuards(ReadersOnly)
  @ToolMethod(LendBook, { description: 'Lend a book.', effects: 'write' })
  lend({ title, days, reader }: LendBook): string {
    this.library.lent.set(title, reader);
    return `${title} is ${reader}'s for ${days} days.`;
  }
}

@Module({ providers: [Library, FindBooks, Desk] })
class LibraryModule {}

@Module({ imports: [ToolmendModule.forRoot({ timeoutMs: 5000 }), LibraryModule] })
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const tools = app.get(ToolRegistry); // or inject it: constructor(private readonly tools: ToolRegistry) {}
tools.schemas('openai'); // for the request's `tools`

const sent = [
  ['find_books', '{"titles": "[\\"Emma\\", \\"Dune\\"]"}', 'ada'],
  ['lend', { title: 'Dune', days: '14' }, 'ada'],
  ['lend', { title: 'Emma', days: 3 }, 'guest'],
] as const;
for (const [name, value, reader] of sent) {
  const call = { id: 'call_1', name, arguments: value };
  const outcome = await tools.call(call, { context: { reader } });
  console.log(outcome.status, '-', toolMessage(outcome).text);
}
await app.close();
