// Makes the first calls of a process, with one library, and prints how long they took: one JSON
// object of microseconds of processor time. node first-call-program.ts toolmend|ajv|zod|classes
import type { SchemaObject } from './schema-object.ts';

const tools = 200;
const valid = '{"paths":["a.txt","b.txt"],"limit":3}';
const nearMiss = '{"paths":"[\\"a.txt\\",\\"b.txt\\"]","limit":"3"}';

const callOfClass = '{"path":"a.txt","query":"terms","order":"best","tags":["x"],"limit":3}';

const schemaOf = (number: number): SchemaObject => ({
  type: 'object',
  properties: {
    paths: { type: 'array', items: { type: 'string' }, maxItems: 20 },
    limit: { type: 'integer', minimum: 1, maximum: 10 + number },
    mode: { type: 'string', enum: ['fast', 'exact'] },
    note: { type: 'string', maxLength: 500 },
  },
  required: ['paths'],
  additionalProperties: false,
});

/** Makes what accepts calls of a tool: it throws for a call that isn't accepted. */
type MakeTool = (number: number) => (text: string) => void;

const libraries: Readonly<Record<string, () => Promise<MakeTool>>> = {
  async toolmend() {
    const { defineTool, interpret } = await import('toolmend');
    return (number) => {
      const tool = defineTool({
        name: `read_files_${number}`,
        description: 'Reads files.',
        inputSchema: schemaOf(number),
        execute: () => 'done',
      });
      return (text) => must(interpret(tool, { arguments: text }).status !== 'rejected');
    };
  },
  async ajv() {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const { default: addFormats } = await import('ajv-formats');
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv);
    return (number) => {
      const schema = schemaOf(number);
      return (text) => must(ajv.validate(schema, JSON.parse(text)));
    };
  },
  async zod() {
    const { z } = await import('zod');
    return (number) => {
      const schema = z.strictObject({
        paths: z.array(z.string()).max(20),
        limit: z
          .int()
          .min(1)
          .max(10 + number)
          .optional(),
        mode: z.enum(['fast', 'exact']).optional(),
        note: z.string().max(500).optional(),
      });
      return (text) => must(schema.safeParse(JSON.parse(text)).success);
    };
  },
};

/** Registers 200 decorated classes, exports them, and calls each once. */
async function timesOfClasses(): Promise<object> {
  const { ToolRegistry } = await import('toolmend');
  const { toolClass } = await import('./registration.ts');
  const classes = Array.from({ length: tools }, (_, at) => toolClass(at));
  const before = processorTime();
  const registry = new ToolRegistry().register(...classes);
  registry.schemas('openai');
  const exported = processorTime();
  for (const { name } of registry.contracts()) {
    const { status } = await registry.call({ id: name, name, arguments: callOfClass });
    must(status === 'completed');
  }
  return { exported: exported - before, classes: processorTime() - before };
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function must(isAccepted: boolean): void {
  if (!isAccepted) throw new Error('a call of the bench is refused');
}

function microsecondsOf(run: () => void): number {
  const before = processorTime();
  run();
  return processorTime() - before;
}

async function timesOfTools(library: string): Promise<object> {
  const makeTool = await libraries[library]?.();
  if (makeTool === undefined)
    throw new Error(`name one: ${Object.keys(libraries).join(', ')}, classes`);
  const first = makeTool(0);
  return {
    valid: microsecondsOf(() => first(valid)),
    repaired: library === 'toolmend' ? microsecondsOf(() => first(nearMiss)) : undefined,
    others: microsecondsOf(() => {
      for (let number = 1; number <= tools; number += 1) makeTool(number)(valid);
    }),
  };
}

const subject = process.argv[2] ?? '';
const times = await (subject === 'classes' ? timesOfClasses() : timesOfTools(subject));
console.log(JSON.stringify(times));
