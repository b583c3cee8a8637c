import type { SchemaObject } from './schema-object.ts';

export interface BenchContract {
  readonly title: string;
  readonly name: 'flat' | 'form' | 'nested';
  readonly schema: SchemaObject;
  /** Argument text of a valid call. */
  readonly text: string;
}

const flat: BenchContract = {
  title: '2 flat fields',
  name: 'flat',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      limit: { type: 'integer', minimum: 1, maximum: 2000 },
    },
    required: ['path', 'limit'],
    additionalProperties: false,
  },
  text: JSON.stringify({ path: 'src/reports/quarterly-summary.md', limit: 200 }),
};

const form: BenchContract = {
  title: '8 fields with arrays, enums, formats',
  name: 'form',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      email: { type: 'string', format: 'email' },
      due: { type: 'string', format: 'date-time' },
      status: { type: 'string', enum: ['open', 'waiting', 'closed'] },
      priority: { type: 'integer', enum: [1, 2, 3] },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      channels: { type: 'array', items: { type: 'string', enum: ['mail', 'phone', 'chat'] } },
      summary: { type: 'string', maxLength: 500 },
    },
    required: ['id', 'email', 'due', 'status', 'priority', 'tags', 'channels'],
    additionalProperties: false,
  },
  text: JSON.stringify({
    id: '3d6f0a52-3c9b-4a5e-9d5b-2f6d3a1c8e70',
    email: 'ada.lovelace@example.com',
    due: '2026-03-01T12:00:00Z',
    status: 'waiting',
    priority: 2,
    tags: ['billing', 'contract', 'renewal', 'europe'],
    channels: ['mail', 'phone'],
    summary: 'The customer asks for the contract to be renewed before the end of March.',
  }),
};

const nested: BenchContract = {
  title: '3 levels with 20 items',
  name: 'nested',
  schema: {
    type: 'object',
    properties: {
      customer: {
        type: 'object',
        properties: { name: { type: 'string' }, city: { type: 'string' } },
        required: ['name', 'city'],
        additionalProperties: false,
      },
      items: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            sku: { type: 'string', minLength: 3 },
            quantity: { type: 'integer', minimum: 1 },
            price: { type: 'number', minimum: 0 },
            options: {
              type: 'object',
              properties: {
                color: { type: 'string', enum: ['red', 'blue'] },
                gift: { type: 'boolean' },
              },
              required: ['color', 'gift'],
              additionalProperties: false,
            },
          },
          required: ['sku', 'quantity', 'price', 'options'],
          additionalProperties: false,
        },
      },
    },
    required: ['customer', 'items'],
    additionalProperties: false,
  },
  text: JSON.stringify({
    customer: { name: 'Ada Lovelace', city: 'London' },
    items: Array.from({ length: 20 }, (_, at) => ({
      sku: `SKU-${1000 + at}`,
      quantity: at + 1,
      price: Number((19.99 + at).toFixed(2)),
      options: { color: at % 2 === 0 ? 'red' : 'blue', gift: at % 3 === 0 },
    })),
  }),
};

export const benchContracts: readonly BenchContract[] = [flat, form, nested];
