import { testNotation } from './notation-case.ts';

testNotation('kimi_k3', {
  template:
    '<|open|>tools<|sep|><|open|>call tool="get_sky" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Ulm, "FR"<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>3<|close|>argument<|sep|><|open|>argument key="alerts" type="boolean"<|sep|>true<|close|>argument<|sep|><|open|>argument key="tags" type="array"<|sep|>["a","b"]<|close|>argument<|sep|><|open|>argument key="filter" type="object"<|sep|>{"max":1.5}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  read: [
    {
      title: 'blanks between the tags',
      text: '<|open|>tools<|sep|>\n<|open|>call  tool="get_sky"<|sep|>\n<|open|>argument  key="city" type="string"<|sep|>Ulm<|close|>argument<|sep|>\n<|close|>call<|sep|>\n<|close|>tools<|sep|>',
    },
    {
      title: 'JSON without a type',
      text: '<|open|>call tool="get_sky"<|sep|><|open|>json<|sep|>{"city": "Ulm"}<|close|>json<|sep|><|close|>call<|sep|>',
    },
    {
      title: 'JSON in the call',
      text: '<|open|>call tool="get_sky" index="1"<|sep|><|open|>json type="object"<|sep|>{"city": "Ulm"}<|close|>json<|sep|><|close|>call<|sep|>',
    },
    {
      title: 'the end of the message',
      text: '<|open|>call tool="get_sky" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Ulm<|close|>argument<|sep|><|close|>call<|sep|><|end_of_msg|>',
    },
  ],
  refused: [
    {
      title: 'two calls in one list',
      text: '<|open|>tools<|sep|><|open|>call tool="get_sky" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="get_sky" index="2"<|sep|><|open|>argument key="city" type="string"<|sep|>b<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    },
    {
      title: 'an argument in an argument',
      text: '<|open|>call tool="get_sky" index="1"<|sep|><|open|>argument key="days" type="number"<|sep|>1<|close|>argument<|sep|><|open|>argument key="city" type="string"<|sep|>a<|open|>argument key="note" type="string"<|sep|>b<|close|>argument<|sep|><|close|>call<|sep|>',
    },
    {
      title: 'words behind JSON',
      text: '<|open|>call tool="get_sky"<|sep|><|open|>json<|sep|>{"city": "Ulm"} so<|close|>json<|sep|><|close|>call<|sep|>',
    },
    {
      title: 'JSON that isn’t closed',
      text: '<|open|>call tool="get_sky"<|sep|><|open|>json<|sep|>{"city": "Ulm"}',
    },
    {
      title: 'a call that isn’t closed',
      text: '<|open|>call tool="get_sky" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>a<|close|>argument<|sep|>',
    },
  ],
  notExpressed: [{ city: 'a', note: '<|open|>' }, { note: '<|close|>argument<|sep|>' }],
});
