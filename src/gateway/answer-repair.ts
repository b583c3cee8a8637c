// Holds the parts of calls until the calls are whole, and writes repaired ones. Everything else
// passes in its order.
import { ToolCallCollector, noFinishReason } from '../interpret/tool-call-collector.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { type JsonEdit, editJson } from '../json/json-edits.ts';
import { plainJson } from '../json/parse.ts';
import { type JsonObject, isJsonObject, maxTextDepth } from '../json/value.ts';
import { textAtPath } from '../wire/wire-api.ts';
import { type IdentifiedPart, CallNumbers, separateRule } from './call-numbers.ts';
import type { Frame } from './frames.ts';
import type { CallVerdict } from './offered-tools.ts';
import type { ModelTurn } from './model-turn.ts';
import type { CallPart, EventReader, GroupEnd, Place, StreamJoin } from './protocol.ts';

/** A call and what became of it. */
export interface CheckedCall {
  readonly call: ToolCall;
  readonly verdict: CallVerdict;
  /** Clients could not have told the call apart from the others, or begun to read it. */
  readonly isSeparated: boolean;
}

/** A valid call that clients could not have read is a repaired one. */
export const statusOf = ({ verdict, isSeparated }: CheckedCall): CallVerdict['kind'] =>
  isSeparated && verdict.kind === 'unchanged' ? 'repaired' : verdict.kind;

/** The rules that changed something of the call. */
export const rulesOf = ({ verdict, isSeparated }: CheckedCall): readonly string[] => [
  ...(verdict.kind === 'repaired' || verdict.kind === 'recovered' ? verdict.rules : []),
  ...(isSeparated ? [separateRule] : []),
];

export type CheckCall = (call: ToolCall, isMisshaped: boolean) => CallVerdict;

/** A frame that waits, and what changes in its data. */
interface HeldFrame {
  readonly frame: Frame;
  readonly event: JsonObject | undefined;
  readonly edits: JsonEdit[];
}

interface HeldPlace extends Place {
  readonly heldFrame: HeldFrame;
  /** The string that is at this place. */
  readonly text: string | undefined;
}

interface HeldPart extends IdentifiedPart {
  readonly heldFrame: HeldFrame;
}

interface HeldCall {
  readonly places: HeldPlace[];
  readonly parts: HeldPart[];
  hasText: boolean;
  isMisshaped: boolean;
  isRenumbered: boolean;
}

/** The calls of a group while their parts come. */
interface Group {
  readonly collector: ToolCallCollector;
  readonly calls: HeldCall[];
  /** By the place of the call; undefined until the group ends. */
  checkedCalls: readonly CheckedCall[] | undefined;
}

/** Bytes that are held for the calls of one answer. With more, everything passes as it came. */
const maxHeldBytes = 64 * 1024 * 1024;

export interface AnswerRepairOptions {
  readonly read: EventReader;
  readonly check: CheckCall;
  /** From the first call on, everything waits for the end of the answer. */
  readonly holdsToEnd?: boolean;
  /** Joins the events to those of other answers, if the model may be asked again. */
  readonly join?: StreamJoin | undefined;
  /** Takes what the model says, if it may be asked again. */
  readonly turn?: ModelTurn | undefined;
}

/** The calls of one answer, which comes as frames: events of a stream, or one whole message. */
export class AnswerRepair {
  readonly #read: EventReader;
  readonly #check: CheckCall;
  readonly #holdsToEnd: boolean;
  readonly #join: StreamJoin | undefined;
  readonly #turn: ModelTurn | undefined;
  readonly #groups = new Map<string, Group>();
  readonly #numbers = new Map<string, CallNumbers>();
  readonly #checked: CheckedCall[] = [];
  #openGroups = 0;
  #queue: HeldFrame[] = [];
  #heldBytes = 0;
  #isTooLarge = false;
  #model: string | undefined;

  constructor({ read, check, holdsToEnd = false, join, turn }: AnswerRepairOptions) {
    this.#read = read;
    this.#check = check;
    this.#holdsToEnd = holdsToEnd;
    this.#join = join;
    this.#turn = turn;
  }

  /** All calls that have ended. */
  get checkedCalls(): readonly CheckedCall[] {
    return this.#checked;
  }

  /**
   * The calls' parts took more memory than they may; from there on the answer passed as it came.
   */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  get isHolding(): boolean {
    return this.#queue.length > 0;
  }

  /** The server ends the answer behind the calls that have begun. */
  endCalls(): void {
    this.#endAll(true);
  }

  /**
   * The index of one more call; undefined if a call before it was cut off, or if the calls are not
   * known.
   */
  get nextIndex(): number | undefined {
    const isCutOff = this.#checked.some(({ call }) => call.finishReason === noFinishReason);
    if (isCutOff || this.#isTooLarge) return undefined;
    return Math.max(0, ...Array.from(this.#numbers.values(), ({ nextIndex }) => nextIndex));
  }

  /** Takes the next frame; returns the bytes that can be sent now. */
  add(frame: Frame): readonly Buffer[] {
    if (this.#isTooLarge) return [frame.bytes];
    const value = frame.data === undefined ? undefined : plainJson(frame.data);
    const event = isJsonObject(value) ? value : undefined;
    const heldFrame: HeldFrame = { frame, event, edits: [] };
    if (event !== undefined) this.#readEvent(event, heldFrame);
    // What ends OpenAI's streams is not JSON.
    else if (frame.data === '[DONE]') this.#endAll(true);
    this.#queue.push(heldFrame);
    this.#heldBytes += frame.bytes.length;
    if (this.#heldBytes > maxHeldBytes) this.#giveUpOnCalls();
    if (!this.#isTooLarge && this.#isAnyOpen()) return [];
    this.#tellTurn();
    return this.#release();
  }

  /** Ends the answer. What is held then is sent with `rest`, or not at all. */
  end(): void {
    this.#endAll(false);
    this.#tellTurn();
  }

  /** The bytes that are held. */
  rest(): readonly Buffer[] {
    return this.#release();
  }

  /** The frames that are held, as they came: the answer broke off. */
  giveUp(): readonly Buffer[] {
    for (const { edits } of this.#queue) edits.length = 0;
    return this.#release();
  }

  #giveUpOnCalls(): void {
    this.#isTooLarge = true;
    for (const { edits } of this.#queue) edits.length = 0;
  }

  /** The turn joins the parts of calls as a client does, so that it needs their indexes. */
  #tellTurn(): void {
    if (this.#turn === undefined) return;
    for (const { frame, event, edits } of this.#queue) {
      const editedEvent = edits.length === 0 ? event : plainJson(editJson(frame.data ?? '', edits));
      if (isJsonObject(editedEvent)) this.#turn.add(editedEvent);
    }
  }

  #isAnyOpen(): boolean {
    return this.#holdsToEnd ? this.#groups.size > 0 : this.#openGroups > 0;
  }

  #release(): readonly Buffer[] {
    const releasedBytes = this.#queue.flatMap((heldFrame) => this.#bytesOf(heldFrame));
    this.#queue = [];
    this.#heldBytes = 0;
    return releasedBytes;
  }

  #joinedEdits(event: JsonObject, text: string): readonly JsonEdit[] | undefined {
    return this.#join === undefined ? [] : this.#join.pass(event, text);
  }

  #bytesOf({ frame, event, edits }: HeldFrame): readonly Buffer[] {
    const text = editJson(frame.data ?? '', edits);
    const passedEvent = edits.length === 0 || this.#join === undefined ? event : plainJson(text);
    const joinedEvents = isJsonObject(passedEvent) ? this.#joinedEdits(passedEvent, text) : [];
    if (joinedEvents === undefined) return [];
    const isSame = edits.length === 0 && joinedEvents.length === 0;
    return [isSame ? frame.bytes : frame.withData(editJson(text, joinedEvents))];
  }

  #readEvent(event: JsonObject, heldFrame: HeldFrame): void {
    const reading = this.#read(event, heldFrame.frame.data ?? '');
    const { parts, ends, otherIndexes = [], model, edits = [] } = reading;
    this.#model ??= model;
    heldFrame.edits.push(...edits);
    for (const { group, index } of otherIndexes) this.#numbersOf(group).reserve(index);
    const closing = new Set(parts.map(({ group }) => group));
    // An end that comes with the next call's first part is of what came before it.
    for (const end of ends) if (!closing.has(end.group)) this.#end(end);
    for (const part of parts) this.#addPart(part, event, heldFrame);
    for (const end of ends) if (closing.has(end.group)) this.#end(end);
  }

  #addPart(part: CallPart, event: JsonObject, heldFrame: HeldFrame): void {
    const places = part.places.map((place) => ({
      ...place,
      heldFrame,
      text: textAtPath(event, place.path),
    }));
    const { delta, isRepeat = false } = part;
    const endedCall = isRepeat ? this.#endedCall(part) : undefined;
    if (endedCall !== undefined) return write(places, endedCall);
    const group = this.#groupOf(part.group, !isRepeat && isGiven(delta.name));
    // What comes behind the end of a call is not known: it passes.
    if (group.checkedCalls !== undefined) return undefined;
    const isSilent = !isRepeat && isEmpty(delta);
    // A part that says nothing is nobody's, or the last call's if it has no index.
    if (isSilent && (typeof delta.index === 'number' || group.calls.length === 0)) return undefined;
    const isKnown = isRepeat && group.calls[0]?.hasText === true;
    group.collector.add(isKnown ? { ...delta, arguments: undefined } : delta);
    const index = Math.max(group.collector.lastIndex, 0);
    const call = (group.calls[index] ??= {
      places: [],
      parts: [],
      hasText: false,
      isMisshaped: false,
      isRenumbered: false,
    });
    if (part.identity !== undefined) call.parts.push({ delta, identity: part.identity, heldFrame });
    if (isSilent) return undefined;
    call.places.push(...places);
    call.hasText ||= isGiven(delta.arguments);
    call.isMisshaped ||= part.isMisshaped === true;
    call.isRenumbered ||= part.isRenumbered === true;
    return undefined;
  }

  /**
   * The call that an event repeats: that of its group, or, if the groups are numbered otherwise,
   * the only one with its id.
   */
  #endedCall({ group, delta }: CallPart): CheckedCall | undefined {
    const knownGroup = this.#groups.get(group);
    if (knownGroup !== undefined && knownGroup.checkedCalls === undefined) return undefined;
    const groupCall = knownGroup?.checkedCalls?.[0];
    const hasSameId =
      groupCall !== undefined && (!isGiven(delta.id) || groupCall.call.id === delta.id);
    if (hasSameId && (!isGiven(delta.name) || groupCall.call.name === delta.name)) return groupCall;
    const [only, ...others] = this.#checked.filter(({ call }) => call.id === delta.id);
    return others.length === 0 ? only : undefined;
  }

  /** Some servers send a call behind the end of its choice: the group begins again. */
  #groupOf(name: string, beginsCall: boolean): Group {
    const knownGroup = this.#groups.get(name);
    if (knownGroup !== undefined && (knownGroup.checkedCalls === undefined || !beginsCall))
      return knownGroup;
    const group: Group = { collector: new ToolCallCollector(), calls: [], checkedCalls: undefined };
    this.#openGroups += 1;
    this.#groups.set(name, group);
    return group;
  }

  /** `isEnd`: the server says that the group has ended, be it without a reason. */
  #end({ group: name, finishReason }: GroupEnd, isEnd = true): void {
    const group = this.#groups.get(name);
    if (group === undefined || group.checkedCalls !== undefined) return;
    const model = this.#model;
    const calls = group.collector.end(finishReason).map((endedCall): ToolCall => {
      const isWhole = isEnd && finishReason === undefined && isWholeText(endedCall.arguments);
      return {
        ...endedCall,
        ...(model === undefined ? {} : { model }),
        ...(isWhole ? { finishReason: 'tool_calls' } : {}),
      };
    });
    group.checkedCalls = this.#separated(name, group, calls).map(({ call, edits }, index) => {
      const heldCall = group.calls[index];
      const { places = [], parts = [], isMisshaped = false, isRenumbered = false } = heldCall ?? {};
      const verdict = this.#check(call, isMisshaped);
      const checkedCall = { call, verdict, isSeparated: edits !== undefined || isRenumbered };
      // A separated call gets its name with its id.
      const editedPlaces =
        edits === undefined ? places : places.filter(({ kind }) => kind !== 'name');
      write(editedPlaces, checkedCall);
      const writtenName = verdict.kind === 'repaired' ? verdict.name : call.name;
      for (const part of parts) part.heldFrame.edits.push(...(edits?.(part, writtenName) ?? []));
      return checkedCall;
    });
    this.#openGroups -= 1;
    this.#checked.push(...group.checkedCalls);
  }

  #separated(name: string, { calls: heldCalls }: Group, calls: readonly ToolCall[]) {
    const heldCallParts = calls.map((call, index) => ({
      call,
      parts: heldCalls[index]?.parts ?? [],
    }));
    return this.#numbersOf(name).separate(heldCallParts);
  }

  #numbersOf(name: string): CallNumbers {
    const numbers = this.#numbers.get(name) ?? new CallNumbers();
    this.#numbers.set(name, numbers);
    return numbers;
  }

  #endAll(isEnd: boolean): void {
    for (const name of this.#groups.keys())
      this.#end({ group: name, finishReason: undefined }, isEnd);
  }
}

/** Whether text is JSON, or JSON as models write it, up to its end: nothing of it was cut off. */
function isWholeText(sentText: unknown): boolean {
  if (typeof sentText !== 'string') return false;
  const text = sentText.trim();
  const read = readJsonPrefix(text, 0, 'loose', maxTextDepth);
  return read.kind === 'read' && read.end === text.length && isJsonObject(read.value);
}

const isGiven = (member: unknown): boolean =>
  member !== undefined && member !== null && member !== '';

const isEmpty = ({ id, name, arguments: sentArguments }: CallPart['delta']): boolean =>
  !isGiven(id) && !isGiven(name) && !isGiven(sentArguments);

/**
 * Puts what a call became where its parts were: the first piece that isn't empty gets all of the text,
 * the others none.
 */
function write(places: readonly HeldPlace[], { call, verdict }: CheckedCall): void {
  if (verdict.kind !== 'repaired' && verdict.kind !== 'rejected') return;
  const { arguments: text } = verdict;
  if (text === undefined) return;
  const name = verdict.kind === 'repaired' ? verdict.name : call.name;
  const edit = ({ heldFrame, path }: HeldPlace, value: string): void =>
    void heldFrame.edits.push({ path, text: value });
  const pieces = places.filter(({ kind }) => kind === 'piece');
  const first = pieces.find((piece) => piece.text !== '') ?? pieces[0];
  for (const piece of pieces) edit(piece, JSON.stringify(piece === first ? text : ''));
  const wholes = places.filter(({ kind }) => kind === 'whole');
  for (const whole of wholes) edit(whole, JSON.stringify(text));
  writeName(places, call.name, name);
  if (pieces.length > 0 || wholes.length > 0) return;
  const values = places.filter(({ kind }) => kind === 'value');
  for (const value of values) edit(value, text);
  const absent = places.find(({ kind }) => kind === 'absent');
  if (values.length === 0 && absent !== undefined) edit(absent, JSON.stringify(text));
}

/** Some servers repeat the name with each part, others send it in parts. */
function writeName(places: readonly HeldPlace[], sentName: string, name: string): void {
  if (sentName === name) return;
  const names = places.filter(({ kind }) => kind === 'name');
  for (const [index, { heldFrame, path, text }] of names.entries())
    heldFrame.edits.push({
      path,
      text: JSON.stringify(index === 0 || text === sentName ? name : null),
    });
}
