// Reads answers of a model that are not tool calls: as a class, and as an array.
import { IsIn, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { answerSchema, ArrayOf, Describe, parseAs } from 'toolmend';

class Line {
  @IsString() article!: string;
  @Describe('The price in cents.') @IsInt() @Min(0) cents!: number;
}

class Invoice {
  @IsString() number!: string;
  @ArrayOf(() => Line) lines!: Line[];
  @IsOptional() @IsIn(['EUR', 'USD']) currency?: 'EUR' | 'USD';

  get total(): number {
    return this.lines.reduce((sum, { cents }) => sum + cents, 0);
  }
}

// For the provider's option (response_format, output_config, responseSchema, format), or for the
// prompt.
console.log(Object.keys(answerSchema(Invoice).properties ?? {}));

const answers = [
  '{"number": "2026-7", "lines": [{"article": "Ink", "cents": 250}]}',
  'Here is the invoice:\n```json\n{"number": 20267, "lines": {"article": "Ink", "cents": "250"}}\n```',
  '{"number": "2026-7", "lines": [{"article": "Ink", "price": 2.5}]}',
];
for (const text of answers) {
  const parsed = parseAs(Invoice, text, { finishReason: 'stop' });
  if (parsed.status === 'rejected') {
    console.log(parsed.message); // as the next user message
  } else {
    console.log(
      [parsed.status, parsed.value.total, ...parsed.repairs.map(({ rule }) => rule)].join(' '),
    );
  }
}

const tags = { type: 'array', items: { type: 'string' } } as const;
const parsed = parseAs(tags, "The tags are:\n['ink', 'paper',]");
if (parsed.status !== 'rejected') console.log(parsed.status, parsed.value.join());
