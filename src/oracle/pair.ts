import type { DecisionId } from '../contract/generated/decisions.ts';
import type { PathForm } from '../contract/generated/operations.ts';
import type { Difference } from './difference.ts';
import type { ListLengths } from './listing.ts';
import { isUndecided } from './open-points.ts';
import type { Answer, Names, Side, SideIndex } from './side.ts';
import type { Cast } from './world.ts';

export interface Pair {
  readonly target: Side;
  readonly twin: Side;
  readonly names: Names;
  readonly cast: Cast;
  /** The path forms of requests: one, or both. */
  readonly forms: readonly PathForm[];
  /** The path form of requests that the sequences do not contain. */
  readonly form: PathForm;
  /** The target's base URL. */
  readonly baseUrl: string;
  /** The decisions that the twin shares with the target. What depends on another decision is unknown. */
  readonly decided: ReadonlySet<DecisionId>;
  /** Starts a new record of the decisions that the twin looks up, and returns the record. */
  recordDecisions(): ReadonlySet<DecisionId>;
  /** Waits until the twin has delivered all events. */
  settleTwin(): Promise<void>;
  /** Whether the target has no event to send. Undefined if the target does not report that. */
  readonly isIdle: (() => Promise<boolean>) | undefined;
  /** How long the lists may be out of date, in milliseconds. Undefined: the lists are not compared. */
  readonly listLagMs: number | undefined;
  readonly userLagMs: number | undefined;
  readonly lengths: ListLengths;
  /** How long the effect of a request may take that was answered with 202, in milliseconds. */
  readonly acceptedMs: number;
  /** How long an event may take, in milliseconds. Undefined: a missing event breaks no rule. */
  readonly eventMs: number | undefined;
}

export const getServer = ({ target, twin }: Pair, side: SideIndex): Side => (side === 0 ? target : twin);

/** Ends a sequence, because what follows depends on an open point that the target has not shown. */
export class Undecided extends Error {}

/** Ends a sequence with the first difference. */
export class Found extends Error {
  readonly difference: Difference;

  constructor(difference: Difference) {
    super(difference.message);
    this.difference = difference;
  }
}

/** @param reads the decisions that the twin looked up @throws Found, or Undecided if the difference depends on an open point */
export function report({ decided }: Pair, difference: Difference, reads: ReadonlySet<DecisionId> = new Set()): never {
  throw isUndecided(reads, decided) ? new Undecided() : new Found(difference);
}

/** How long the last event may be in transit, and how much later than its bound a list may change. */
export const LEEWAY_MS = 40;
/** The pause before a question is repeated. */
export const RETRY_MS = 15;
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const isLimited = (...answers: readonly Answer[]): boolean => answers.some(({ status }) => status === 429);
