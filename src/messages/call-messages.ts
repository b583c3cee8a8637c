import { printable, quote } from '../json/preview.ts';

/** The message for a call whose tool did not run. `why`: the reason, and what to do. */
export const notExecuted = (tool: string, why: string): string =>
  `${tool} was not executed.\n${why}`;

/** What the model reads if nobody could read its call. */
export const unreadableCall =
  'Your tool call was malformed and was not executed. Send the whole call again.';

/** Reasons other than the arguments why a tool did not run. */
export const whyNotExecuted = {
  approval_required: 'It has to be approved first. Do not send it again: the result will follow.',
  not_approved: 'The call was not approved.',
  decided_before: 'A decision on this call has already been made.',
  not_allowed: 'The application does not allow this call.',
  definition_changed: 'Its definition has changed and has to be accepted first. Go on without it.',
  definition_unusable:
    'The application’s settings for it don’t fit its definition. Go on without it.',
  cancelled: 'The call was cancelled before it started.',
  disconnected: 'Its server is not connected. Go on without it.',
  unreachable: 'Its server cannot be reached. Go on without it.',
  busy: 'Too many calls are waiting. Send fewer at a time, and send this one again later.',
  rate_limit:
    'It has been called too often in a short time. ' +
    'Go on with other work, and send this call again later.',
  closed: 'The program is shutting down. Do not send any more calls.',
  call_limit: 'This run has used all the calls of this tool that it may make. Go on without it.',
  run_limit: 'This run has used all the calls that it may make. Finish with what you have.',
  retry_limit: 'It has failed too many times in a row. Find another way, or say what is missing.',
  repeated:
    'This same call has failed in the same way too many times. ' +
    'Find another way, or say what is missing.',
} as const;

/**
 * The first answer to a call that goes on in the background. `check`: whether the model has the
 * tool `check_background`.
 */
export const runsInBackground = (
  tool: string,
  handle: string,
  check: 'offered' | 'off',
): string => {
  const look =
    check === 'off' ? '' : ` To look after it sooner, call check_background with this handle.`;
  return (
    `${tool} runs in the background as ${handle}. It has no result yet: ` +
    `go on with other work. The result will follow.${look}`
  );
};

/** The answer to a call whose tool has asked a person something. */
export const waitsForAnswer = (tool: string, question: string): string =>
  `${tool} has not finished. It has asked a person: ${question}\n` +
  'Do not send this call again: the result will follow.';

/** The tool goes no further, unless it does without an answer. */
export const unansweredQuestion = {
  decline: (question: string) => `The person did not want to answer: ${question}`,
  cancel: (question: string) => `The person closed this question without an answer: ${question}`,
  expire: (question: string) => `Nobody answered in time: ${question}`,
} as const;

/** An answer that came too late, because another one was first. */
export const answeredBefore = (tool: string): string =>
  `${tool} has its answer already, and has not ended yet. Do not send it again: ` +
  'the result will follow.';

/** What a call waits for that has not started, or doesn't go on. */
export const waitedFor = {
  worker: 'a worker',
  approval: 'its approval',
  answer: 'the answer of a person',
} as const;

/** Above the result of a call that ended after a person's answer. */
export const endedAfterAnswer = (tool: string, callId: string, status: string): string =>
  `${tool} (call ${quote(callId)}), which had asked a person, has ended (${status}):`;

/** Above the result of a background call. */
export const endedInBackground = (tool: string, handle: string, status: string): string =>
  `${tool}, which ran in the background as ${handle}, has ended (${status}):`;

/** Above the result of a call that ended after an approver's decision. */
export const endedAfterDecision = (tool: string, callId: string, status: string): string =>
  `${tool} (call ${quote(callId)}), about which a person has decided, has ended (${status}):`;

/** Below the result of a background call that has images or files, which a note can't show. */
export const attachmentsLeftOut = (
  { images, files }: { readonly images: number; readonly files: number },
  handle: string,
  check: 'offered' | 'off',
): string => {
  const what = [
    ...(images === 0 ? [] : [images === 1 ? 'an image' : `${images} images`]),
    ...(files === 0 ? [] : [files === 1 ? 'a file' : `${files} files`]),
  ].join(' and ');
  const [verb, pronoun] = images + files === 1 ? ['is', 'it'] : ['are', 'them'];
  const look = check === 'off' ? '' : ` To see ${pronoun}, call check_background with ${handle}.`;
  return `The result has ${what} that ${verb} not shown here.${look}`;
};

/** In the place of a file that a provider can't carry. `size`: in bytes. */
export function unshownFile({
  name,
  mediaType,
  size,
}: {
  readonly name?: string | undefined;
  readonly mediaType: string;
  readonly size: number;
}): string {
  const [kind = ''] = mediaType.split('/', 1);
  const what = { audio: 'an audio file', video: 'a video', image: 'an image' }[kind] ?? 'a file';
  const facts = [...(name === undefined ? [] : [printable(name)]), printable(mediaType)];
  return `The result has ${what} that can't be shown here: ${facts.join(', ')}, ${size} bytes.`;
}

/** In the place of a link that a provider can't carry. */
export function linkText({
  name,
  uri,
  mediaType,
  description,
  size,
}: {
  readonly name: string;
  readonly uri: string;
  readonly mediaType?: string;
  readonly description?: string;
  readonly size?: number;
}): string {
  const facts = [
    ...(mediaType === undefined ? [] : [printable(mediaType)]),
    ...(size === undefined ? [] : [`${size} bytes`]),
  ];
  const link = [name, uri, ...(description === undefined ? [] : [description])].join('\n');
  return facts.length === 0 ? link : `${link}\n(${facts.join(', ')})`;
}

/** `errorId`: the id of the error in the program's log, if it is logged. */
export const internalErrorMessage = (tool: string, errorId?: string): string =>
  notExecuted(
    tool,
    `An internal error occurred${errorId === undefined ? '' : ` (error ${errorId})`}.`,
  );

/** Characters of an earlier result that the answer to a repeated decision has. */
export const maxEarlierResultLength = 2000;

/** `text`: the result of the call, or what went wrong. */
export function executedBefore(tool: string, text: string): string {
  if (text === '') return `${tool} was executed before.`;
  const isLong = text.length > maxEarlierResultLength;
  const excerpt = isLong ? `${text.slice(0, maxEarlierResultLength).toWellFormed()}…` : text;
  return `${tool} was executed before: ${excerpt}`;
}

export const notEndedYet = (tool: string): string =>
  `${tool} was approved before, and has not ended yet. Do not send it again: ` +
  'the result will follow.';

/** The note beside a result of which the journal has kept a part. */
export const resultWasCut = (tool: string, length: number, keptLength: number): string =>
  `The result of ${tool} had ${length} characters, of which the first ${keptLength} were kept.`;

/** The message for a call whose process ended while it was running. */
export const leftInDoubt = (tool: string): string =>
  `${tool} was interrupted, and it is not known whether its work was done. ` +
  'A person will decide. Do not send this call again.';

/** The database was out of reach when a transaction was committed. */
export const commitUnknown = (tool: string): string =>
  `The connection to the database broke when the work of ${tool} was committed, and it is ` +
  'not known whether it was. Look before you send this call again.';

export const goesOnElsewhere = (tool: string): string =>
  `${tool} goes on in another process, and its result follows. Do not send this call again.`;

/** `key`: what the call shares with an earlier one. Both arguments are JSON, without secrets. */
export const sharesKey = (key: string, earlierArguments: string, newArguments: string): string =>
  `${key} was used before with other arguments: ` +
  `${earlierArguments} before, ${newArguments} now. Send a new call if both are meant.`;

/** Arguments are the same but for secrets, which no message shows. */
export const differsInSecrets = (key: string): string =>
  `${key} was used before with another value of a secret argument. ` +
  'Send a new call if both are meant.';

export const mayDifferInSecrets = (key: string): string =>
  `${key} was used before, and it is not known whether the secret arguments were the ` +
  'same. Send a new call only if it is meant in addition to the first one.';

/** The note beside the result of an earlier call with the same idempotency key. */
export const sameAsBeforeNote = (tool: string, id: string): string =>
  `${tool} was not executed again: this is the result of the call ${id}, which does the same.`;

/** The note beside the result of an earlier call with the same id. */
export const sentBeforeNote = (tool: string, id: string): string =>
  `${tool} was not executed again: the call ${id} was sent before, and this is its result.`;

/** A call that waited for the same call. */
export const stillRunsElsewhere = (tool: string, milliseconds: number): string =>
  `${tool} did not finish within the time limit of ${milliseconds} ms of this call. ` +
  'The same call was sent before, and still runs.';

/** In place of the result of a call whose code went on after the call had ended. */
export const endedLate = (tool: string): string =>
  `${tool} finished its work after its time limit. Its result was not kept.`;

/** A call that waited for the same call, in a program that shuts down. */
export const leftRunningElsewhere = (tool: string): string =>
  `The same call of ${tool} was sent before, and still runs. ${whyNotExecuted.closed}`;

export const callsItself = (id: string): string =>
  `The id ${id} is that of the call that makes this one. Give each call an id of its own.`;

/** A call that failed in the same way before. */
export interface Repetition {
  /** Consecutive failures including this one: 2 or more. */
  readonly times: number;
  /** The number of failures from which on the message asks the model to stop. */
  readonly limit: number;
}

export const isOver = ({ times, limit }: Repetition): boolean => times >= limit;

export const repetitionSentence = ({ times }: Repetition): string =>
  `This same call has now failed in the same way ${times} times in a row.`;

/** The same for an answer that is no tool call. */
export const answeredAgain = ({ times }: Repetition): string =>
  `The answer has now failed ${times} times in a row.`;
export const stopAnswering = 'Stop trying: do not send this answer again. Say what is missing.';

/** The last line of a message about a repeated call. `issues`: whether the message lists issues. */
export function repetitionAdvice(repetition: Repetition, issues: 'listed' | 'none'): string {
  if (isOver(repetition))
    return 'Stop trying: do not send this call again. Find another way, or say what is missing.';
  return issues === 'listed'
    ? 'Do not send the same arguments again: ' +
        'correct what is listed above, then send the whole call.'
    : 'Do not send the same arguments again: change them, or find another way.';
}
