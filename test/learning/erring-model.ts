// A model that sends one argument as text instead of an array: less often if its description says
// what to send.

export interface ErringModelOptions {
  readonly sentence: string;
  readonly rate: number;
  readonly rateWithSentence: number;
}

export class ErringModel {
  readonly name = 'clumsy';
  readonly #options: ErringModelOptions;
  /** How much of a miss each sort of call has made up so far. */
  readonly #due = { with: 0, without: 0 };

  constructor(options: ErringModelOptions) {
    this.#options = options;
  }

  /** Misses come as regularly as their rate allows. */
  argumentsFor(description: string): string {
    const { sentence, rate, rateWithSentence } = this.#options;
    const reads = description.includes(sentence);
    const sort = reads ? 'with' : 'without';
    this.#due[sort] += reads ? rateWithSentence : rate;
    if (this.#due[sort] < 1) return '{"paths":["a.txt"]}';
    this.#due[sort] -= 1;
    return '{"paths":"a.txt"}';
  }
}
