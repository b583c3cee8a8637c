// The page in a Nest application: a controller, so that the application's guards decide who sees it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CanActivate,
  Controller,
  ForbiddenException,
  Get,
  Inject,
  NotFoundException,
  Param,
  Post,
  Req,
  Res,
  type Type,
  UseGuards,
} from '@nestjs/common';
import type { RegularResumeOptions } from '../../background/resume.ts';
import { definitionError } from '../../errors/definition-error.ts';
import {
  type OptionKinds,
  any,
  callback,
  kindWithHint,
  list,
  string,
} from '../../options/check-options.ts';
import { JournalCalls, journalHints } from '../../page/journal-calls.ts';
import { registryCosts } from '../../page/known-costs.ts';
import { type PageFiles, readPageFiles } from '../../page/page-files.ts';
import { answerPage } from '../../page/page-handler.ts';
import { RegistryDecisions } from '../../page/registry-decisions.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { Journal } from '../../store/call-store.ts';

/** A page of the calls in the `journal`, behind the guards of the application. */
export interface ToolmendPageOptions {
  /** Where the page is, such as `admin/calls`. Default: `toolmend`. */
  readonly path?: string;
  /** Guards of the page, beside the application's global ones. Default: none. */
  readonly guards?: readonly (CanActivate | Type<CanActivate>)[];
  /**
   * The tenant whose calls a request may see, from what a guard has written into it. The tools of
   * the registry and what they cost are no tenant's: every person sees all of them. Default: the
   * page shows the calls of all tenants.
   */
  tenant?(request: object): string;
  /** Who decides an approval on the page, for the journal. Default: nobody is named. */
  decidedBy?(request: object): string;
}

export const pageOptionKinds: OptionKinds<ToolmendPageOptions> = {
  path: kindWithHint(string, "write 'admin/calls'"),
  guards: list(any),
  tenant: callback('write a function that returns the tenant, (request) => …'),
  decidedBy: callback("write a function that returns a person's name, (request) => …"),
};

/** What the page of an application shows and decides. */
export class PageSource {
  readonly journal: Journal;
  readonly tools: ToolRegistry;
  readonly context: RegularResumeOptions['context'];

  constructor(
    journal: Journal | undefined,
    tools: ToolRegistry,
    context: RegularResumeOptions['context'],
  ) {
    if (journal === undefined)
      throw definitionError(
        'ToolmendModule',
        'has a page without a journal',
        'write journal: await openJournal({ … }) too, whose calls the page shows',
      );
    this.journal = journal;
    this.tools = tools;
    this.context = context;
  }
}

/** Fastify's requests and replies have those of Node. */
interface Wrapped<Raw> {
  readonly raw: Raw;
  /** Fastify leaves the reply to its handler. */
  hijack?(): unknown;
}

type NestRequest = IncomingMessage | Wrapped<IncomingMessage>;
type NestResponse = ServerResponse | Wrapped<ServerResponse>;

const rawOf = <Raw extends object>(message: Raw | Wrapped<Raw>): Raw =>
  'raw' in message ? message.raw : message;

const indexName = 'index.html';

class PageRoutes {
  readonly #source: PageSource;
  readonly #options: ToolmendPageOptions;
  readonly #files: PageFiles = readPageFiles() ?? new Map();

  constructor(source: PageSource, options: ToolmendPageOptions) {
    this.#source = source;
    this.#options = options;
  }

  // No wildcard: its form depends on the version of Nest.

  @Get()
  index(@Req() request: NestRequest, @Res() response: NestResponse): Promise<void> {
    const [address = '', query] = urlOf(request).split('?', 2);
    if (address.endsWith('/')) return this.file(request, response);
    // The page's own addresses are below its slash, where Fastify finds no controller.
    const name = 'raw' in response ? indexName : '';
    const place = `./${address.slice(address.lastIndexOf('/') + 1)}/${name}`;
    const raw = leftToHandler(response);
    raw.writeHead(302, { location: query === undefined ? place : `${place}?${query}` }).end();
    return Promise.resolve();
  }

  @Get(indexName)
  file(@Req() request: NestRequest, @Res() response: NestResponse): Promise<void> {
    return this.#answer(request, response, '/');
  }

  @Get('assets/:file')
  asset(
    @Req() request: NestRequest,
    @Res() response: NestResponse,
    @Param('file') file: string,
  ): Promise<void> {
    return this.#answer(request, response, `/assets/${encodeURIComponent(file)}`);
  }

  @Get('api/:what')
  data(
    @Req() request: NestRequest,
    @Res() response: NestResponse,
    @Param('what') what: string,
  ): Promise<void> {
    return this.#answer(request, response, `/api/${encodeURIComponent(what)}`);
  }

  @Get('api/calls/:id')
  call(
    @Req() request: NestRequest,
    @Res() response: NestResponse,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#answer(request, response, `/api/calls/${encodeURIComponent(id)}`);
  }

  @Get('api/decisions/:id')
  decision(
    @Req() request: NestRequest,
    @Res() response: NestResponse,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#answer(request, response, `/api/decisions/${encodeURIComponent(id)}`);
  }

  @Post('api/decisions/:id')
  decide(
    @Req() request: NestRequest,
    @Res() response: NestResponse,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#answer(request, response, `/api/decisions/${encodeURIComponent(id)}`);
  }

  @Post('api/decisions/:id/judge')
  judge(
    @Req() request: NestRequest,
    @Res() response: NestResponse,
    @Param('id') id: string,
  ): Promise<void> {
    return this.#answer(request, response, `/api/decisions/${encodeURIComponent(id)}/judge`);
  }

  async #answer(request: NestRequest, response: NestResponse, place: string): Promise<void> {
    const { journal, tools, context } = this.#source;
    const tenant = tenantOf(request, this.#options);
    const data = new JournalCalls(journal, { source: 'journal', tenant });
    const by = this.#options.decidedBy?.(request);
    const decisions = new RegistryDecisions({ journal, tools, tenant, by, context });
    const [, query = ''] = urlOf(request).split('?', 2);
    const isAnswered = await answerPage(rawOf(request), rawOf(response), `${place}?${query}`, {
      data,
      decisions,
      hints: tenant === undefined ? () => journalHints(journal) : undefined,
      costs: registryCosts(tools),
      files: this.#files,
      body: Reflect.get(request, 'body'),
    });
    if (!isAnswered) throw new NotFoundException();
    leftToHandler(response);
  }
}

/** The controller of an application's page. */
export function pageController(options: ToolmendPageOptions): Type {
  const { path = 'toolmend', guards = [] } = options;

  @Controller(path)
  @UseGuards(...guards)
  class ToolmendPage extends PageRoutes {
    constructor(@Inject(PageSource) source: PageSource) {
      super(source, options);
    }
  }
  return ToolmendPage;
}

const urlOf = (request: NestRequest): string => {
  const original: unknown = Reflect.get(request, 'originalUrl');
  return typeof original === 'string' ? original : (rawOf(request).url ?? '/');
};

function leftToHandler(response: NestResponse): ServerResponse {
  if ('hijack' in response) response.hijack?.();
  return rawOf(response);
}

/** Undefined: all. A request without a tenant sees nothing if the application tells tenants apart. */
function tenantOf(request: object, options: ToolmendPageOptions): string | undefined {
  if (options.tenant === undefined) return undefined;
  // JavaScript may return nothing.
  const value: unknown = options.tenant(request);
  if (typeof value !== 'string') throw new ForbiddenException();
  return value;
}
