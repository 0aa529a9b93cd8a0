import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { components } from '../contract/generated/control.ts';
import type { ControlOperationId } from '../contract/generated/control-operations.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { GateRefusal } from '../http/answer.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Faults } from '../http/faults.ts';
import type { Journal } from '../journal/journal.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { DeliveryState } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

type Schemas = components['schemas'];

/** A request of the control API whose body was checked against control.yaml. */
export interface ControlRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** The header Last-Event-ID. */
  readonly lastEventId?: string | undefined;
}

/** An answer without end: server-sent events, for as long as this sends them. */
export interface Streamed {
  stream(to: EventStream): Promise<void>;
}

export type ControlAnswer = { readonly status: 200 | 201 | 204 | 503; readonly body?: object } | GateRefusal;
export type ControlHandler<Answer = ControlAnswer> = (request: ControlRequest, deps: ControlDeps) => Promise<Answer> | Answer;
/** One handler for each operation of control.yaml: a missing one does not compile. */
export type ControlHandlers = {
  readonly [Op in ControlOperationId]: Op extends 'streamEverything' ? ControlHandler<Streamed | GateRefusal> : ControlHandler;
};

/** What the operator's door works with. */
export interface ControlDeps {
  readonly store: Store;
  readonly world: WorldState;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly faults: Faults;
  readonly journal: Journal;
  /** What the use cases of the service work with. */
  service(): ServiceContext;
  /** Ready-made tokens of the present world, by name. */
  readyTokens(): Promise<Readonly<Record<string, string>>>;
  mint(request: {
    clientId: string;
    principalId?: string | undefined;
    scopes: readonly string[];
    expiresIn: number;
    kind: Schemas['TokenKind'];
  }): string;
  /** Replaces the world by the one the kit was started with (seed), by none (empty), or by a snapshot. @returns false where there is none of this name. */
  reset(to: string): Promise<boolean>;
  /**
   * Moves kit time forward, and makes the attempts of deliveries that are due on the way.
   *
   * @throws RangeError where that is too far. WorldReplaced where another world was loaded meanwhile.
   */
  advance(
    ms: number,
    maxWaitMs?: number,
  ): Promise<{ readonly attempts: readonly (Attempt & { readonly state: DeliveryState })[]; readonly settled: boolean }>;
  /** Forgets what is only remembered in this process: rate windows. */
  forget(): void;
  /** Aborted when the server closes: then answers without end come to theirs. */
  closing(): AbortSignal;
  readonly about: { readonly version: string; readonly settings: Readonly<Record<string, unknown>>; readonly baseUrl: () => string };
}

/** A refusal in the operator's words. */
export function cannot(why: 'invalid' | 'not-found' | 'conflict', detail: string): GateRefusal {
  return { gate: `control.${why}`, detail };
}
