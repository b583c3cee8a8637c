// Repairs the calls of an answer without a registry.
import { interpretArguments, readCalls } from 'toolmend/repair';

const schemas = {
  get_weather: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'array', items: { type: 'integer' } } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;

/** What the handler needs: the types come from the schema. */
const forecast = (city: string, days: readonly number[] = [0]): string =>
  `${city}: ${days.length} days`;

// A call as the API returns it, and one that the server left in the text of the answer.
const answer = {
  content: '<tool_call>\n{"name": "get_weather", "arguments": {"city": ["Wien"]}}\n</tool_call>',
  calls: [{ name: 'get_weather', arguments: '{"city": "Graz", "days": "[1, 2]"}' }],
};
const inText = readCalls(answer.content, [{ name: 'get_weather' }]).calls;

for (const call of [...answer.calls, ...inText]) {
  const result = interpretArguments(
    schemas.get_weather,
    { text: call.arguments },
    { tool: call.name },
  );
  if (result.status === 'rejected') console.log(result.message);
  else console.log(result.status, forecast(result.value.city, result.value.days));
}
