import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { ArrayOf, Describe, PathField, RecordOf, Tool, ToolRegistry } from 'toolmend';
import { anthropicMessages } from 'toolmend/anthropic';
import { chatCompletions, responses } from 'toolmend/openai';
import { decorate } from './argument-classes.ts';
import { measure, type MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

const count = 200;
/** Times of JSON.stringify of the result that a request may take, after the first. */
const mostStringifies = 10;

/** The tools of a request, and the same again as JSON. */
export function providerRequest(settings: MeasureSettings): Section {
  const registry = new ToolRegistry().register(
    ...Array.from({ length: count }, (_, at) => toolClass(at)),
  );
  const requests = [
    { name: 'toolmend/openai, chat', offer: chatCompletions(registry) },
    { name: 'toolmend/openai, chat, strict', offer: chatCompletions(registry, { strict: true }) },
    { name: 'toolmend/openai, responses', offer: responses(registry) },
    { name: 'toolmend/anthropic', offer: anthropicMessages(registry) },
    { name: 'toolmend/anthropic, strict', offer: anthropicMessages(registry, { strict: true }) },
    ...(['gemini', 'bedrock', 'mistral', 'ollama', 'mcp'] as const).map((provider) => ({
      name: `schemas('${provider}')`,
      offer: {
        get tools(): unknown[] {
          return registry.schemas(provider);
        },
      },
    })),
  ];
  const rows = requests.map(({ name, offer }) => {
    const start = performance.now();
    const first = offer.tools;
    const firstTime = performance.now() - start;
    const [request, json] = measure(
      [
        { name: 'request', run: () => offer.tools },
        { name: 'json', run: () => JSON.stringify(first) },
      ],
      settings,
    );
    if (request === undefined || json === undefined) throw new Error('nothing was measured');
    return { name, firstTime, request, json, share: request.timesAsLongAs('json') };
  });
  const worst = Math.max(...rows.map(({ share }) => share));
  return {
    title: 'Offering 200 tools to a provider',
    about:
      'The first request of a set in milliseconds, every other one in microseconds, beside one JSON.stringify of the same tools.',
    columns: ['', 'first, ms', 'after that, µs', 'JSON.stringify, µs', 'parts of it'],
    rows: rows.map(({ name, firstTime, request, json, share }) => [
      name,
      shown(firstTime),
      shown(request.microseconds),
      shown(json.microseconds),
      share.toFixed(3),
    ]),
    goals: [
      {
        goal: `after the first, a request takes less than ${mostStringifies} JSON.stringify of its tools`,
        measured: `${worst.toFixed(3)} at most`,
        isMet: worst < mostStringifies,
      },
    ],
  };
}

function toolClass(at: number): new () => object {
  const Class = class {
    execute(): string {
      return 'done';
    }
  };
  decorate(Class, {
    path: [IsString(), PathField(), Describe('A workspace-relative path.')],
    query: [IsString(), MaxLength(200)],
    limit: [IsOptional(), IsInt(), Min(1), Max(1000)],
    tags: [ArrayOf(String)],
    labels: [IsOptional(), RecordOf(Number)],
    [`only_${at}`]: [IsOptional(), IsString()],
  });
  Tool({ name: `tool_${at}`, description: `Tool number ${at}.` })(Class);
  return Class;
}
