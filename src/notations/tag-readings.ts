import { memoize } from '../collections/memoize.ts';
import { afterBlanks } from './json-body.ts';
import { type RawArgument, type TaggedArguments, longestTag, unescapedName } from './notation.ts';

/** One way to read the parameters of a call. */
export interface TagReading {
  readonly pairs: readonly RawArgument[];
  /** Offset after the call's closing tag; of a call that isn't closed, after its last parameter. */
  readonly end: number;
  readonly isClosed: boolean;
  /** The number of edits, and of tags in their places that were read as text. */
  readonly cost: number;
  /** Every tag is read as a tag, each where it belongs. */
  readonly isStructure: boolean;
  /**
   * A tag of the markup in a value may be none of it: the reading only shows that there are others.
   */
  readonly isWitness: boolean;
}

type TagKind = 'open' | 'close' | 'bent' | 'end' | 'wrapper' | 'call' | 'stray';

interface Tag {
  readonly kind: TagKind;
  readonly start: number;
  readonly end: number;
  readonly key: string;
  /** No template writes it so. */
  readonly isFaulty: boolean;
  /** What stands before the tag's name: a closing tag has the one of its opening tag. */
  readonly prefix: string;
  readonly type: RawArgument['type'];
}

/** A parameter, and the tags in its value that were read as text. */
interface ReadParameter {
  readonly argument: RawArgument;
  readonly innerTags: List<Tag> | undefined;
  /** Offsets of the value. */
  readonly start: number;
  readonly end: number;
}

interface List<Item> {
  readonly item: Item;
  readonly previous: List<Item> | undefined;
}

/** A way that is read on. `value`: inside the value of `key`. `after`: the call is closed. */
interface Way {
  readonly mode: 'between' | 'value' | 'after';
  /** Offset after the last tag. */
  readonly at: number;
  /** The tag of the parameter whose value is read. */
  readonly openTag: Tag | undefined;
  readonly parameters: List<ReadParameter> | undefined;
  /** Tags in the value that is read. */
  readonly innerTags: List<Tag> | undefined;
  readonly cost: number;
  readonly isStructure: boolean;
  readonly isWitness: boolean;
}

/** Ways that are followed at once, and what a way costs at most. */
const mostWays = 40;
const mostCost = 8;
/** Readings of one cost, at most: with more, none of that cost is the only one. */
const mostReadings = 64;

const costs = { lost: 1, bent: 1, asText: 1, doubled: 2, afterEnd: 6 } as const;

/** What is known of the keys that a call may have. */
export interface KnownKeys {
  /** Undefined: the tool's keys are unknown. */
  readonly isDeclared: ((key: string) => boolean) | undefined;
  readonly isList: (key: string) => boolean;
}

/**
 * All ways to read the parameters of the call whose head ends at `from`: each tag is structure or
 * text, and a closing tag may be missing or garbled. The ways of the least cost come first.
 */
export function readTags(
  text: string,
  from: number,
  form: TaggedArguments,
  keys: KnownKeys,
): TagReadings {
  const reader = new TagReader(text, from, form, keys);
  // If every tag is where it belongs, there is no other way.
  const structure = reader.readStructure();
  if (structure !== undefined) return { readings: [structure], endsInValue: false };
  const readings = reader.read().toSorted((left, right) => left.cost - right.cost);
  return { readings, endsInValue: reader.endsInValue };
}

interface TagReadings {
  readonly readings: readonly TagReading[];
  /** In one way at least, the text ends before the value of a parameter does. */
  readonly endsInValue: boolean;
}

class TagReader {
  readonly #text: string;
  readonly #form: TaggedArguments;
  readonly #keys: KnownKeys;
  readonly #tags: TagFinder;
  readonly #readings: TagReading[] = [];
  /** How many readings have each cost. */
  readonly #counts = new Map<number, number>();
  #ways: readonly Way[];

  constructor(text: string, from: number, form: TaggedArguments, keys: KnownKeys) {
    this.#text = text;
    this.#form = form;
    this.#keys = keys;
    this.#tags = new TagFinder(text, from, form);
    this.#ways = [
      {
        mode: 'between',
        at: from,
        openTag: undefined,
        parameters: undefined,
        innerTags: undefined,
        cost: 0,
        isStructure: true,
        isWitness: false,
      },
    ];
  }

  get endsInValue(): boolean {
    return this.#ways.some(({ mode }) => mode === 'value');
  }

  /** The way in which every tag is structure. */
  readStructure(): TagReading | undefined {
    const tags = new TagFinder(this.#text, this.#tags.start, this.#form);
    let [way] = this.#ways;
    for (let tag = tags.next(); tag !== undefined && way !== undefined; tag = tags.next()) {
      if (way.mode === 'after' && tag.kind === 'call') break;
      way = this.#structureFrom(way, tag);
    }
    return way?.mode === 'after' ? this.#readingOf(way) : undefined;
  }

  #structureFrom(way: Way, tag: Tag): Way | undefined {
    const { mode, openTag } = way;
    if (mode === 'after') {
      if (this.#isForeign(tag)) return way;
      const isAround = tag.kind === 'wrapper' && this.#isNothing(way.at, tag.start);
      if (isAround) return { ...way, at: tag.end };
      return tag.kind === 'wrapper' || tag.kind === 'stray' ? way : undefined;
    }
    if (openTag !== undefined) {
      if (!this.#isOwn(tag, openTag)) return way;
      return tag.kind === 'close' ? { ...this.#wayPastValue(way, tag), at: tag.end } : undefined;
    }
    if (!this.#isNothing(way.at, tag.start)) return undefined;
    if (tag.kind === 'end') return { ...way, mode: 'after', at: tag.end };
    const isInTemplate = tag.kind === 'open' && !tag.isFaulty;
    return isInTemplate ? this.#waysIntoValue(way, tag)[0] : undefined;
  }

  read(): readonly TagReading[] {
    let previousEnd = this.#tags.start;
    for (
      let tag = this.#tags.next();
      tag !== undefined && this.#ways.length > 0;
      tag = this.#tags.next()
    ) {
      const structureWay = this.#ways.find((way) => way.mode === 'after' && way.isStructure);
      if (structureWay !== undefined && tag.kind === 'call')
        return [...this.#countedReadings(), this.#readingOf(structureWay)];
      const place = { tag, previousEnd, next: this.#tags.peek() };
      const isInPlace = this.#isInPlace(place);
      const ways = this.#ways.flatMap((way) => this.#waysFrom(way, tag, isInPlace));
      this.#ways =
        ways.length <= mostWays
          ? ways
          : ways.toSorted((left, right) => left.cost - right.cost).slice(0, mostWays);
      if (tag.kind !== 'wrapper') previousEnd = tag.end;
    }
    this.#endText();
    return this.#countedReadings();
  }

  /** Whether a tag stands where its kind does in a call. */
  #isInPlace({
    tag,
    previousEnd,
    next,
  }: {
    readonly tag: Tag;
    readonly previousEnd: number;
    readonly next: Tag | undefined;
  }): boolean {
    const isAfterTag = afterBlanks(this.#text, previousEnd) >= tag.start;
    if (tag.kind === 'close' || tag.kind === 'bent')
      return next !== undefined && afterBlanks(this.#text, tag.end) >= next.start;
    return isAfterTag;
  }

  #waysFrom(way: Way, tag: Tag, isInPlace: boolean): readonly Way[] {
    if (way.cost > mostCost) return [];
    if (way.mode === 'after') return this.#waysAfterCall(way, tag);
    return way.mode === 'between'
      ? this.#waysBetween(way, tag)
      : this.#waysInValue(way, tag, isInPlace);
  }

  #waysAfterCall(way: Way, tag: Tag): readonly Way[] {
    const isNext = this.#isNothing(way.at, tag.start);
    if (tag.kind === 'wrapper') return [isNext ? { ...way, at: tag.end } : way];
    if (tag.kind === 'stray' || this.#isForeign(tag)) return [way];
    if (tag.kind === 'end' && isNext)
      return [{ ...way, at: tag.end, cost: way.cost + costs.doubled, isStructure: false }];
    const isOther = tag.kind === 'call';
    this.#end(isOther ? way : { ...way, cost: way.cost + costs.afterEnd, isStructure: false });
    return [];
  }

  #waysBetween(way: Way, tag: Tag): readonly Way[] {
    if (!this.#isNothing(way.at, tag.start)) return [];
    switch (tag.kind) {
      case 'open':
        return this.#waysIntoValue(way, tag);
      case 'close':
      case 'bent':
        return way.parameters === undefined
          ? []
          : [
              {
                ...way,
                at: tag.end,
                cost: way.cost + costs.doubled,
                isStructure: false,
              },
            ];
      case 'end':
        return [{ ...way, mode: 'after', at: tag.end }];
      case 'wrapper':
        // It closes the call, too.
        return way.parameters === undefined && this.#form.isNameless !== true
          ? []
          : [
              {
                ...way,
                mode: 'after',
                at: tag.start,
                cost: way.cost + costs.lost,
                isStructure: false,
              },
            ];
      default:
        return [];
    }
  }

  #waysInValue(way: Way, tag: Tag, isInPlace: boolean): readonly Way[] {
    const { openTag } = way;
    if (openTag === undefined) return [];
    const isOwn = this.#isOwn(tag, openTag);
    if (!isOwn) return [way];
    const asText: Way = {
      ...way,
      innerTags: { item: tag, previous: way.innerTags },
      cost: way.cost + (isInPlace && tag.kind !== 'stray' ? costs.asText : 0),
      isStructure: false,
    };
    const editedWay = { ...this.#wayPastValue(way, tag), isStructure: false };
    switch (tag.kind) {
      case 'close':
        return [{ ...this.#wayPastValue(way, tag), at: tag.end }, asText];
      case 'bent':
        return tag.key === '' || tag.key === openTag.key
          ? [{ ...editedWay, at: tag.end, cost: way.cost + costs.bent }, asText]
          : [asText];
      case 'open':
        return [
          ...this.#waysPastLostTag(way, tag).flatMap((wayPastLostTag) =>
            this.#waysIntoValue(wayPastLostTag, tag),
          ),
          asText,
        ];
      case 'end':
        return [
          ...this.#waysPastLostTag(way, tag).map((wayPastLostTag): Way => ({
            ...wayPastLostTag,
            mode: 'after',
            at: tag.end,
          })),
          asText,
        ];
      default:
        return [asText];
    }
  }

  /** Elements that are no parameters are content. */
  #isOwn(tag: Tag, openTag: Tag): boolean {
    if (tag.kind === 'close' && tag.prefix !== openTag.prefix) return false;
    if (this.#form.keysAreTags !== true) return true;
    if (tag.kind === 'close') return tag.key === openTag.key;
    return (
      tag.kind !== 'open' || tag.key === openTag.key || this.#keys.isDeclared?.(tag.key) === true
    );
  }

  /** Elements of a list may have one name. */
  #mayRepeat(tag: Tag): boolean {
    const isList = this.#form.keysAreTags === true && this.#keys.isList(tag.key);
    return isList || this.#isUndeclaredElement(tag);
  }

  /** Whether a tag behind the call is one of an element that is no parameter of the call. */
  #isForeign(tag: Tag): boolean {
    return (tag.kind === 'open' || tag.kind === 'close') && this.#isUndeclaredElement(tag);
  }

  #isUndeclaredElement({ key }: Tag): boolean {
    return this.#form.keysAreTags === true && this.#keys.isDeclared?.(key) === false;
  }

  #waysIntoValue(way: Way, tag: Tag): readonly Way[] {
    if (!this.#mayRepeat(tag))
      for (let one = way.parameters; one !== undefined; one = one.previous)
        if (one.item.argument.key === tag.key) return [];
    const valueWay = {
      ...way,
      mode: 'value',
      at: tag.end,
      openTag: tag,
      innerTags: undefined,
    } as const;
    return tag.isFaulty
      ? [{ ...valueWay, cost: way.cost + costs.bent, isStructure: false }]
      : [valueWay];
  }

  /**
   * The ways after a value whose closing tag is lost. A line break before the other tag is the
   * template's if the template has one before its tags; other blanks may be the value's. Markup at
   * the end of the value may be what is left of the tag.
   */
  #waysPastLostTag(way: Way, tag: Tag): readonly Way[] {
    const { openTag } = way;
    // An element that is no parameter is one only if it is whole.
    if (openTag !== undefined && this.#isUndeclaredElement(openTag)) return [];
    const closedWay = this.#wayPastValue(way, tag);
    const { parameters } = closedWay;
    if (parameters === undefined || openTag === undefined) return [closedWay];
    const { item, previous } = parameters;
    const { raw } = item.argument;
    const isOnLines = this.#form.layout === 'lines' || this.#startsLine(openTag);
    const value = this.#form.layout === 'exact' && isOnLines ? withoutLastBreak(raw) : raw;
    const withValue = (text: string, isWitness: boolean): Way => ({
      ...closedWay,
      parameters: { item: { ...item, argument: { ...item.argument, raw: text } }, previous },
      cost: way.cost + costs.lost,
      isStructure: false,
      isWitness: closedWay.isWitness || isWitness || endsInMarkup(text),
    });
    const trimmedValue = value.trimEnd();
    return trimmedValue === value
      ? [withValue(value, false)]
      : [withValue(value, false), withValue(trimmedValue, true)];
  }

  /** Whether a tag is the first of its line. */
  #startsLine({ start }: Tag): boolean {
    let at = start;
    while (at > 0 && /[ \t]/.test(this.#text.charAt(at - 1))) at -= 1;
    return at === 0 || this.#text.charAt(at - 1) === '\n';
  }

  /** The way that goes on after the value that ends before a tag. */
  #wayPastValue(way: Way, tag: Tag): Way {
    const { openTag } = way;
    if (openTag === undefined) return way;
    const text = this.#valueIn(openTag, way.at, tag.start);
    // All of the markup is escaped like its tags.
    const raw = this.#text.startsWith('<\\/', tag.start) ? text.replaceAll('\\/', '/') : text;
    const { key, type, prefix } = openTag;
    const isMarked = type === 'element' && prefix !== '';
    const argument: RawArgument = { key, raw, type, ...(isMarked ? { token: prefix } : {}) };
    const item = { argument, innerTags: way.innerTags, start: way.at, end: tag.start };
    return {
      ...way,
      mode: 'between',
      openTag: undefined,
      parameters: { item, previous: way.parameters },
      innerTags: undefined,
    };
  }

  #valueIn(openTag: Tag, start: number, end: number): string {
    const text = this.#text.slice(start, end);
    const raw =
      this.#form.layout === 'lines'
        ? withoutBreaks(text, indentationAt(this.#text, openTag.start))
        : text;
    return characterData.exec(raw)?.[1] ?? raw;
  }

  /** Whether there is nothing between two offsets but blanks and tags around all parameters. */
  #isNothing(start: number, end: number): boolean {
    if (afterBlanks(this.#text, start) >= end) return true;
    const { separator } = this.#form;
    return (
      separator !== undefined &&
      end - start < 256 &&
      new RegExp(`^(?:\\s|${separator})*$`).test(this.#text.slice(start, end))
    );
  }

  #end(way: Way): void {
    const count = (this.#counts.get(way.cost) ?? 0) + 1;
    this.#counts.set(way.cost, count);
    if (count <= mostReadings) this.#readings.push(this.#readingOf(way));
  }

  /** The readings of the costs that have not too many. */
  #countedReadings(): readonly TagReading[] {
    return this.#readings.filter(({ cost: ownCost }) =>
      [...this.#counts].every(([cost, count]) => count <= mostReadings || ownCost < cost),
    );
  }

  #readingOf(way: Way): TagReading {
    const pairs: RawArgument[] = [];
    let { isWitness } = way;
    for (let one = way.parameters; one !== undefined; one = one.previous) {
      pairs.push(one.item.argument);
      isWitness ||= !areTagsContent(this.#text, one.item);
    }
    const { at: end, cost, isStructure } = way;
    const isClosed = way.mode === 'after';
    return { pairs: pairs.toReversed(), end, isClosed, cost, isStructure, isWitness };
  }

  #endText(): void {
    for (const way of this.#ways) {
      if (way.mode === 'after' || (way.mode === 'between' && way.parameters !== undefined))
        this.#end(way);
    }
  }
}

/** A name that was put in quotes, as attributes are. */
const withoutQuotes = (name: string): string => /^(["'])(.+)\1$/.exec(name)?.[2] ?? name;

/** Whether a text ends in a tag, or in what is left of one. */
const endsInMarkup = (text: string): boolean =>
  /(?:<[^<>\n]*>?|[/|][\w:.|-]{0,128}>)$/.test(text.trimEnd().slice(-longestTag));

/** Without the line break at the end, and the indentation behind it. */
function withoutLastBreak(text: string): string {
  let end = text.length;
  while (end > 0 && /[ \t]/.test(text.charAt(end - 1))) end -= 1;
  if (text.charAt(end - 1) !== '\n') return text;
  return text.slice(0, text.charAt(end - 2) === '\r' ? end - 2 : end - 1);
}

const isQuote = (character: string): boolean => /["'`“”‘’«»„]/.test(character);

/**
 * Whether tags in a value are content: each touches a quote of the pair that it is in. Without
 * another call in the value, what closes a call is content, too.
 */
function areTagsContent(text: string, { innerTags, start, end }: ReadParameter): boolean {
  const tags: Tag[] = [];
  for (let tag = innerTags; tag !== undefined; tag = tag.previous) tags.push(tag.item);
  if (tags.every(({ kind }) => kind === 'end' || kind === 'wrapper')) return true;
  const marks = new Map(['"', "'", '`'].map((mark) => [mark, 0]));
  const count = (from: number, to: number): void => {
    for (const character of text.slice(from, to)) {
      const marksBefore = marks.get(character);
      if (marksBefore !== undefined) marks.set(character, marksBefore + 1);
    }
  };
  const quotesOfTags: string[] = [];
  let countedTo = start;
  for (const tag of tags.toReversed()) {
    count(countedTo, tag.start);
    countedTo = tag.start;
    const quote = [text.charAt(tag.start - 1), text.charAt(tag.end)].find(
      (mark) => isQuote(mark) && (marks.get(mark) ?? 1) % 2 === 1,
    );
    if (quote === undefined) return false;
    quotesOfTags.push(quote);
  }
  count(countedTo, end);
  return quotesOfTags.every((quote) => (marks.get(quote) ?? 0) % 2 === 0);
}

const characterData = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/;

/**
 * Without one line break at each end, and the indentation of the closing tag, if it has that of the
 * opening tag.
 */
function withoutBreaks(raw: string, indentation: string): string {
  const start = raw.startsWith('\r\n') ? 2 : raw.startsWith('\n') ? 1 : 0;
  const breakBeforeEnd = [`\n${indentation}`, '\n'].find((one) => raw.endsWith(one)) ?? '';
  const end = raw.length - breakBeforeEnd.length;
  if (end < start) return raw.slice(start);
  return raw.slice(
    start,
    end < raw.length && end > start && raw.charAt(end - 1) === '\r' ? end - 1 : end,
  );
}

/** The blanks before an offset, if they begin a line. */
function indentationAt(text: string, at: number): string {
  let start = at;
  while (start > 0 && /[ \t]/.test(text.charAt(start - 1))) start -= 1;
  return start === 0 || text.charAt(start - 1) === '\n' ? text.slice(start, at) : '';
}

/** Finds the tags of a form, one after the other. */
class TagFinder {
  readonly start: number;
  readonly #text: string;
  readonly #pattern: RegExp;
  readonly #isEscaped: boolean;
  readonly #isElement: boolean;
  readonly #template: RegExp | undefined;
  #at: number;
  #ahead: Tag | undefined;
  #isAhead = false;

  constructor(text: string, from: number, form: TaggedArguments) {
    this.#text = text;
    this.start = from;
    this.#at = from;
    this.#pattern = patternOf(form);
    this.#isEscaped = form.namesAreEscaped === true;
    this.#isElement = form.keysAreTags === true;
    this.#template = templateOf(form);
  }

  next(): Tag | undefined {
    const tag = this.peek();
    this.#isAhead = false;
    return tag;
  }

  peek(): Tag | undefined {
    if (!this.#isAhead) {
      this.#ahead = this.#find();
      this.#isAhead = true;
    }
    return this.#ahead;
  }

  #find(): Tag | undefined {
    this.#pattern.lastIndex = this.#at;
    const match = this.#pattern.exec(this.#text);
    if (match === null) return undefined;
    const groups = match.groups ?? {};
    const kind = kinds.find((name) => groups[name] !== undefined) ?? 'call';
    this.#at = this.#pattern.lastIndex;
    const name = withoutQuotes(
      (groups['key'] ?? groups['quoted'] ?? groups['closed'] ?? '').trim(),
    );
    const key = this.#isEscaped ? unescapedName(name) : name;
    return {
      kind,
      start: match.index,
      end: this.#at,
      key,
      isFaulty: kind === 'open' && this.#template?.test(match[0]) === false,
      prefix: groups['prefix'] ?? groups['closingPrefix'] ?? '',
      type: this.#isElement ? 'element' : typeIn(groups['attributes'] ?? ''),
    };
  }
}

const kinds: readonly TagKind[] = ['open', 'close', 'bent', 'end', 'wrapper', 'call', 'stray'];

const patternOf = memoize(
  (form: TaggedArguments): RegExp =>
    new RegExp(
      [
        `(?<end>${form.end})`,
        ...(form.wrapperEnd === undefined ? [] : [`(?<wrapper>${form.wrapperEnd})`]),
        `(?<call>${form.call})`,
        `(?<open>${form.parameter})`,
        `(?<close>${form.parameterEnd})`,
        ...(form.bent === undefined ? [] : [`(?<bent>${form.bent})`]),
        ...(form.stray === undefined ? [] : [`(?<stray>${form.stray})`]),
      ].join('|'),
      'g',
    ),
);

const templateOf = memoize(({ templateParameter }: TaggedArguments): RegExp | undefined =>
  templateParameter === undefined ? undefined : new RegExp(`^${templateParameter}$`),
);

/** What the attributes of a parameter say of the type of its value. */
function typeIn(attributes: string): RawArgument['type'] {
  const isText = /\sstring=["'](true|false)["']/.exec(attributes)?.[1];
  if (isText !== undefined) return isText === 'true' ? 'string' : 'json';
  const type = /\stype=["'](\w+)["']/.exec(attributes)?.[1];
  return type === undefined ? undefined : type === 'string' ? 'string' : 'json';
}
