// Serves the tools of a Nest application over MCP: over HTTP beside its other routes, and on stdio.
// Then calls them both ways.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
// #region imports
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  All,
  type CanActivate,
  ConsoleLogger,
  Controller,
  type ExecutionContext,
  Injectable,
  Module,
  NotFoundException,
  type OnModuleDestroy,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, Min } from 'class-validator';
import { FromContext, ToolFailure, ToolMethod, ToolRegistry } from 'toolmend';
import { serveTools } from 'toolmend/mcp';
import { ToolmendModule } from 'toolmend/nestjs';
// #endregion

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
class Desk {
  readonly #titles = new Set(['Emma', 'Dune']);

  @ToolMethod(LendBook, { description: 'Lend a book.', effects: 'write' })
  lend({ title, days, reader }: LendBook): string {
    if (!this.#titles.has(title)) throw new NotFoundException(`There is no book ${title}.`);
    return `${title} is ${reader}'s for ${days} days.`;
  }
}

const readers = new Map([['Bearer token-of-ada', 'ada']]);

// #region http
type Handle = ReturnType<typeof toNodeHandler>;
type Request = Parameters<Handle>[0] & { readonly body?: unknown };

/** The application's sign-in. What it puts into `auth` is `http.authInfo` in callOptions. */
class SignedIn implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const token = String(request.headers['authorization']);
    const clientId = readers.get(token);
    if (clientId === undefined) return false;
    request.auth = { token, clientId, scopes: [] };
    return true;
  }
}

@Controller('mcp')
@UseGuards(SignedIn)
class McpController implements OnModuleDestroy {
  readonly #mcp;
  readonly #handle: Handle;

  constructor(tools: ToolRegistry) {
    this.#mcp = createMcpHandler(() =>
      serveTools(new McpServer({ name: 'library', version: '1.0.0' }), tools, {
        callOptions: ({ http }) => {
          const reader = http?.authInfo?.clientId;
          if (reader === undefined) throw new ToolFailure('Sign in first.');
          // Background calls and approvals are known to their tenant alone.
          return { tenant: reader, context: { reader } };
        },
      }),
    );
    this.#handle = toNodeHandler(this.#mcp);
    tools.onChange(() => this.#mcp.notify.toolsChanged());
  }

  @All()
  handle(@Req() request: Request, @Res() response: Parameters<Handle>[1]): Promise<void> {
    return this.#handle(request, response, request.body); // Nest has read the body
  }

  onModuleDestroy(): Promise<void> {
    return this.#mcp.close();
  }
}
// #endregion

@Module({ imports: [ToolmendModule.forRoot()], providers: [Desk], controllers: [McpController] })
class AppModule {}

// #region stdio
/** Nest logs to stdout, which is the protocol's. */
class StderrLogger extends ConsoleLogger {
  protected override printMessages(
    ...[messages, context, level]: Parameters<ConsoleLogger['printMessages']>
  ) {
    super.printMessages(messages, context, level, 'stderr');
  }
}

async function serveOnStdio(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: new StderrLogger() });
  app.enableShutdownHooks();
  serveStdio(() =>
    serveTools(new McpServer({ name: 'library', version: '1.0.0' }), app.get(ToolRegistry), {
      callOptions: () => ({ context: { reader: process.env['READER'] ?? 'guest' } }),
    }),
  );
}
// #endregion

async function callBoth(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const url = new URL(`${await app.getUrl()}/mcp`);
  const file = fileURLToPath(import.meta.url);
  const transports = {
    http: new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: 'Bearer token-of-ada' } },
    }),
    stdio: new StdioClientTransport({
      command: process.execPath,
      args: [file, 'stdio'],
      env: { READER: 'eve' },
      stderr: 'ignore',
    }),
  };
  for (const [name, transport] of Object.entries(transports)) {
    const client = new Client({ name: 'host', version: '1.0.0' });
    await client.connect(transport);
    const lent = await client.callTool({ name: 'lend', arguments: { Title: 'Dune', days: '14' } });
    const missing = await client.callTool({
      name: 'lend',
      arguments: { title: 'Ulysses', days: 7 },
    });
    console.log(name, lent.content[0], missing.isError, missing.content[0]);
    const reader = name === 'http' ? 'ada' : 'eve';
    assert.deepEqual(lent.content[0], { type: 'text', text: `Dune is ${reader}'s for 14 days.` });
    assert.deepEqual(missing.content, [{ type: 'text', text: 'There is no book Ulysses.' }]);
    await client.close();
  }
  await app.close();
}

await (process.argv[2] === 'stdio' ? serveOnStdio() : callBoth());
