// How much work may one call's repair be? Beyond a limit the call is rejected with that reason.

export interface RepairLimits {
  /** Nesting of containers, the outermost counted. */
  readonly depth: number;
  /** Decodings of text on one path. */
  readonly decodings: number;
  /** Characters decoded in all, as a multiple of the size of what was sent. */
  readonly decodedRatio: number;
  /** Questions to the judge, whatever the size of what was sent. */
  readonly judgements: number;
  /** Questions to the judge beside those, for each character of what was sent. */
  readonly judgementsPerCharacter: number;
  /** Edits at one place. */
  readonly rounds: number;
}

export const defaultRepairLimits: RepairLimits = Object.freeze({
  depth: 64,
  decodings: 3,
  decodedRatio: 2,
  judgements: 50_000,
  judgementsPerCharacter: 0.25,
  rounds: 8,
});
