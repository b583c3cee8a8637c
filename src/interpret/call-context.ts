import type { ScannedPart } from './call-scanner.ts';

/** Characters before calls that decide what they are. */
const contextSize = 1024;
/** Characters that an introduction has at most. */
const longestIntroduction = 300;
/** Characters of calls that are kept at most. */
const longestRun = 4 * 1024 * 1024;

/**
 * Decides which of the calls in a text are the model's own. A text can also quote a call or speak about it, so a call is one only
 * if it ends the text, or if nothing but the introduction of the next call follows it. Calls without text between them stay together.
 */
export class CallContext {
  /** The end of the text before the calls that are held. */
  #before = '';
  /** Calls, and the text behind each of them. */
  #held: readonly ScannedPart[] = [];
  #behind = '';
  /** The calls that are held are quoted, so that those behind them are quoted, too. */
  #isQuoted = false;

  /** Returns what is certain now. */
  add(parts: readonly ScannedPart[]): readonly ScannedPart[] {
    return parts.flatMap((part) => (part.kind === 'text' ? this.#addText(part) : this.#addCalls(part)));
  }

  /** Returns the rest. */
  end(): readonly ScannedPart[] {
    if (!this.#isQuoted && isBlank(this.#behind)) return this.#held;
    return this.#release();
  }

  #addText(part: ScannedPart): readonly ScannedPart[] {
    if (this.#held.length === 0) {
      this.#before = (this.#before + textOf(part)).slice(-contextSize);
      return [part];
    }
    this.#behind += textOf(part);
    this.#held = [...this.#held, part];
    return this.#behind.trim().length > longestIntroduction ? this.#release() : [];
  }

  #addCalls(part: ScannedPart): readonly ScannedPart[] {
    const isJoined =
      this.#held.length > 0 && (isBlank(this.#behind) || (!this.#isQuoted && isIntent(this.#behind.trim())));
    const released = isJoined ? [] : this.#release();
    if (!isJoined) this.#isQuoted = !mayBeBeforeCall(this.#before);
    this.#behind = '';
    this.#held = [...this.#held, part];
    const length = this.#held.reduce((sum, held) => sum + textOf(held).length, 0);
    return length > longestRun ? [...released, ...this.#release()] : released;
  }

  /** All that is held, as text. */
  #release(): readonly ScannedPart[] {
    const text = this.#held.map(textOf).join('');
    this.#before = (this.#before + text).slice(-contextSize);
    this.#held = [];
    this.#behind = '';
    return text === '' ? [] : [{ kind: 'text', text }];
  }
}

const textOf = ({ text }: ScannedPart): string => text;

/** Whether a text says nothing: blanks, and tokens that end a turn. */
const isBlank = (text: string): boolean =>
  /^(?:\s|\uFEFF|<[|｜][^<>|｜\n]{1,64}[|｜]>|<\/s>|<end_of_turn>|<eos>)*$/.test(text);

/**
 * Whether the text before a call may come from a model that calls the tool next, rather than introduce a quotation, an example or
 * a warning. It has ended with a whole sentence that affirms, or with markup, or it says in one sentence what is done next.
 */
function mayBeBeforeCall(before: string): boolean {
  const thought = before.search(/(?<![^\n])[ \t]*Thought:(?![^]*\n[ \t]*Thought:)/);
  if (thought > 0 && !mayBeBeforeCall(before.slice(0, thought))) return false;
  const said = before.replace(/[\p{Extended_Pictographic}\uFE0F\s]+$/u, '').replace(/(?<=\S)[*_]{1,3}$/, '');
  const paragraph = said.split(/\n[ \t]*\n|(?:^|\n)[ \t]*(?:`{3}|~{3})[^\n]*/).at(-1) ?? '';
  const lines = paragraph.split('\n');
  const line = lines.at(-1) ?? '';
  if (/(?:["“„‘«「『`'?？|,;(]|^[ \t]*(?:[-*+•]|\d{1,3}[.)]))$/.test(line) && !endsQuotation(line))
    return false;
  const isOnSameLine = line !== '' && !/\n\s*$/.test(before);
  const sentence = lastSentence(said);
  if (isIntent(sentence) && (!isOnSameLine || ended.test(line) || /[:：]$/.test(line))) return true;
  // What isn't a sentence is a title, a label, the name of a file or an element of a list, and the call may be its content.
  const isTitle = paragraph !== '' && !ended.test(line) && !/(?:^|>)(?:assistant|model)$/.test(said);
  if (/^#|^(?:human|user):/i.test(sentence) || quotes.test(sentence) || forbids.test(sentence)) return false;
  // A thought is the model's own, in any words.
  return thought !== -1 || !(isTitle || lines.some((one) => introduces.test(one)) || negation.test(sentence));
}

/** Matches a line that ends with a sentence, markup or a token, or consists of indented code. */
const ended = /^(?: {4}|\t)|[\p{Sentence_Terminal}…>\]}▷]$/u;

/** Matches an element of a list, and a line that ends with a colon: what follows belongs to it. */
const introduces = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]|[:：][*_]*$/;

/** Whether a line ends with a quotation or with code that also begins in it. */
const endsQuotation = (line: string): boolean =>
  /["`]$/.test(line) && line.split(line.slice(-1)).length % 2 === 1;

/** The last sentence of a text, without what ends it. */
function lastSentence(said: string): string {
  const text = said.replace(/[.:!…。：！]+$/, '');
  const start = Math.max(...['. ', '! ', '? ', '\n', '。', '！', '？'].map((mark) => text.lastIndexOf(mark)));
  return text.slice(start + 1).trim();
}

/** Whether a text is one sentence in which the model says what it does next. */
function isIntent(text: string): boolean {
  const sentence = text
    .replace(/[.:!…。：！]+$/, '')
    .replaceAll(/[*_`’]/g, (mark) => (mark === '’' ? "'" : ''));
  if (sentence.length > longestIntroduction || /[.!?。！？]\s|\n/.test(sentence)) return false;
  return (
    (intent.test(sentence) && !doubts.test(sentence) && !quotes.test(sentence)) || chinese.test(sentence)
  );
}

const action =
  'search|look|check|find|get|fetch|read|query|list|open|load|retrieve|verify|inspect|view|examine|explore|investigate|start|begin|try|call|use|run|create|update|edit|add|save|send|compute|calculate|confirm|gather|review|analy[sz]e|continue|proceed|ask|book|test|install|fix|set|see|remove|delete|apply|convert|schedule';
const intent = new RegExp(
  `^(?:(?:ok|okay|sure|great|thanks|certainly|of course|alright|first|next|then|now|finally|so|and)[,!]?\\s+){0,3}(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to|i want to|i should|i have to|i must|i)\\s+(?:(?:now|first|then|also|next|just|quickly|try to|go ahead and|start by|begin by)\\s+){0,2}(?:${action})\\w{0,3}\\b`,
  'i',
);
const chinese =
  /^(?:好的?，|现在|首先，?|接下来，?){0,2}(?:让我|我来|我先|我将|我会|我需要|我要)(?![^]*[不别勿例示])/;

/** Words by which a sentence takes back what it says. */
const doubts =
  /\b(?:not|never|no|neither|nor|refuse|would|could|might|if|unless|without|aloud|out loud)\b|n't\b/i;
/** Words by which a sentence introduces something that is quoted or shown. */
const quotes =
  /\b(?:for example|for instance|examples?|such as|like this|syntax|format|template|looks? like|instead of|e\.?g|quot\w+|verbatim|injection|injected|attack\w*|malicious|ignor\w+|disregard|i made|below|the following$|earlier|previously|says|said|wrote|written|reads as|contained|contains|the following (?:text|markup|call|instruction|is)|what (?:\w+ ){1,3}(?:says|said|wrote))\b/i;
/** Sentences against running what follows. */
const forbids =
  /\b(?:do not|don['’]t|never|must not|mustn['’]t|should not|shouldn['’]t|not to|will not|won['’]t|would not|cannot|can['’]t|refuse to)\b(?:(?!\bbut\b).){0,40}?\b(?:run|execute|call|follow|use|invoke|write|send|obey|do|output|print|make)\b/i;
/** Words that deny. English ones are common in sentences about what was found, so they count only with the verbs above. */
const negation = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${[
    'nicht|kein(?:e[mnrs]?)?|nie(?:mals)?|niet|geen|nooit|inte|aldrig|ikke|aldri',
    "ne|n['’]\\p{L}+|jamais|aucune?|nunca|não|non|mai",
    'no(?=[^]* (?:l[ao]s?|el|esto|eso|est[ea]|una?|de|siguiente)(?!\\p{L}))',
    'не|нет|нельзя|никогда|ні|nigdy|asla|değil|không|đừng|jangan|tidak|لا|لم|मत|नहीं|न|אל|לא',
  ].join(
    '|',
  )})(?![\\p{L}\\p{M}])|[不勿莫没沒]|(?<![特分区级识类差])[别別]|禁止|な[いく]|ません|않|금지|지 ?[마말못]`,
  'iu',
);
