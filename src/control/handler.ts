import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import { type ControlFailureKind, createControlFailure, type GateFailure } from '../contract/failure.ts';
import type { components, operations } from '../contract/generated/control.ts';
import type { ControlOperationId } from '../contract/generated/control-operations.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Relay } from '../events/relay.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Faults } from '../http/faults.ts';
import type { Journal } from '../journal/journal.ts';
import type { Addresses } from '../oauth/server/metadata.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import type { ChangeFeed } from '../store/changes.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { DeliveryState } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

type Schemas = components['schemas'];

/** A request with a query and body that match control.yaml. */
export interface ControlRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
  readonly lastEventId?: string | undefined;
}

export interface OperationRequest<Op extends ControlOperationId> extends ControlRequest {
  readonly params: { readonly [Name in keyof NonNullable<operations[Op]['parameters']['path']>]: string };
  readonly query: NonNullable<operations[Op]['parameters']['query']>;
  readonly body: operations[Op] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : unknown;
}

/** A response that stays open, because `stream` sends server-sent events until the connection ends. */
export interface StreamResponse {
  /** The wall time, in milliseconds, between comments. Only a write shows that a client has gone away, because a client may close its sending side. */
  readonly heartbeatMs?: number;
  stream(to: EventStream): Promise<void>;
}

/** A response with status 200 and a body that is too large for memory. */
export interface ChunkedResponse {
  /** The media type. Default: application/json. */
  readonly type?: string;
  send(sendChunks: (body: AsyncGenerator<string, void>) => Promise<void>): Promise<void>;
}

export type ControlResponse = { readonly status: 200 | 201 | 202 | 204 | 503; readonly body?: object } | GateFailure;
export type ControlHandlers = {
  readonly [Op in ControlOperationId]: (
    request: OperationRequest<Op>,
    deps: ControlDeps,
  ) => Promise<OperationResponse<Op>> | OperationResponse<Op>;
};
type OperationResponse<Op extends ControlOperationId> = Op extends 'streamEverything' | 'listen'
  ? StreamResponse | GateFailure
  : Op extends 'readMetrics' | 'dumpState' | 'downloadWorld' | 'listCollection'
    ? ChunkedResponse | GateFailure
    : ControlResponse;

/** Implemented in `kit.ts`, because this folder must not import the client check. */
export interface ReportReader {
  /** Checks the calls in the journal whose number is greater than `since`. */
  checkJournalCalls(options: { readonly since: number; readonly wholeLists: boolean }): Promise<Schemas['Findings']>;
  /** Lists the report folder's reports, newest first. */
  listReports(): Promise<Schemas['Report'][]>;
  /** Returns undefined if `listReports` does not list the name. */
  readReport(name: string): Promise<Schemas['ReportWithPage'] | undefined>;
}

/** Implemented in `check-runs.ts`, because this folder must not import the checks. */
export interface CheckRuns {
  /** Changes whenever a check has started, continued or ended. */
  readonly changes: ChangeFeed;
  /** Newest first. */
  list(): Schemas['Check'][];
  start(request: Schemas['CheckRequest']): Promise<Schemas['Check'] | GateFailure>;
  read(id: string): Schemas['CheckWithResults'] | undefined;
  /** Returns false if there is no such check. */
  stop(id: string): boolean;
}

/** The worlds that a process has besides its first one. */
export interface Worlds {
  /** @returns a failure with the reason if the world cannot be created */
  create(request: Schemas['WorldRequest']): Promise<Schemas['CreatedWorld'] | GateFailure>;
  list(): Promise<Schemas['RunningWorld'][]>;
  /** Ends a world when its requests have ended. @returns false if there is no such world */
  end(name: string): Promise<boolean>;
  listEnded(): Schemas['EndedWorld'][];
  /** @returns undefined if no world with this name has ended, or if too many have ended since then */
  listEndedRequests(name: string): readonly Schemas['JournalEntry'][] | undefined;
}

export interface ControlDeps {
  readonly store: Store;
  readonly world: WorldState;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly reportReader: ReportReader;
  readonly checks: CheckRuns;
  /** Undefined in a world that was created by the control API. */
  readonly worlds: Worlds | undefined;
  readonly metrics: { formatMetrics(): Promise<string> };
  readonly relay: Relay;
  /** Aborted when the kit begins to stop: before `getClosingSignal`, if it drains. */
  getDrainingSignal(): AbortSignal;
  createContext(): ServiceContext;
  createReadyMadeTokens(): Promise<Readonly<Record<string, string>>>;
  mintToken(request: {
    clientId: string;
    principalId?: string | undefined;
    scopes: readonly string[];
    expiresIn: number;
    kind: Schemas['TokenKind'];
  }): string;
  /**
   * Replaces the world.
   * @param to `seed` (the kit's first world), `empty` (an empty world), or a snapshot's name
   * @returns false if there is no such snapshot
   */
  reset(to: string): Promise<boolean>;
  /**
   * @throws RangeError if kit time would be too far ahead
   * @throws WorldReplaced if another world is loaded before the attempts have ended
   */
  advance(
    ms: number,
    maxWaitMs?: number,
  ): Promise<{ readonly attempts: readonly (Attempt & { readonly state: DeliveryState })[]; readonly settled: boolean }>;
  /** Sends a duplicate in addition to the delivery's attempts. */
  sendDuplicate(delivery: Pick<ClaimedDelivery, 'id' | 'eventId' | 'subscriptionId' | 'body' | 'headers'>): Promise<Attempt>;
  /** Call this function after loading a world. */
  clearRateWindows(): void;
  getClosingSignal(): AbortSignal;
  readonly about: Addresses & {
    readonly version: string;
    readonly settings: Readonly<Record<string, unknown>>;
    /** Of a proxy: where it forwards requests. */
    readonly upstream: Schemas['Upstream'] | undefined;
  };
}

/** Refuses what only a kit can do. */
export const refuseAtProxy = ({ api }: Schemas['Upstream']): GateFailure =>
  refuseRequest(
    'conflict',
    `This address is a proxy in front of ${api}, and the request is for a kit. A proxy has no world, clock, tokens, subscriptions or events of its own. Use the address of a kit, which xpk start prints.`,
  );

/** @param pointer a JSON pointer; undefined if the error is outside the body */
export function refuseRequest(kind: ControlFailureKind, detail: string, pointer?: string): GateFailure {
  return createControlFailure(kind, detail, pointer === undefined ? [] : [{ pointer, message: detail }]);
}
