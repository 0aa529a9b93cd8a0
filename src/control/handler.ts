import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import { type ControlFailureKind, createControlFailure, type GateFailure } from '../contract/failure.ts';
import type { components, operations } from '../contract/generated/control.ts';
import type { ControlOperationId } from '../contract/generated/control-operations.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Faults } from '../http/faults.ts';
import type { Journal } from '../journal/journal.ts';
import type { Addresses } from '../oauth/server/metadata.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { DeliveryState } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

type Schemas = components['schemas'];

/** A control API request. The query and body have been validated against control.yaml. */
export interface ControlRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
  /** The value of the Last-Event-ID header. */
  readonly lastEventId?: string | undefined;
}

/** A request to one operation. control.yaml defines the types of the parameters and the body. */
export interface OperationRequest<Op extends ControlOperationId> extends ControlRequest {
  readonly params: { readonly [Name in keyof NonNullable<operations[Op]['parameters']['path']>]: string };
  readonly query: NonNullable<operations[Op]['parameters']['query']>;
  readonly body: operations[Op] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : unknown;
}

/** A response that stays open: `stream` sends server-sent events until the connection ends. */
export interface StreamResponse {
  stream(to: EventStream): Promise<void>;
}

/** A response with status 200 and a body that is too large for memory. `send` calls `sendChunks` with the body's chunks. */
export interface ChunkedResponse {
  /** The media type. Default: application/json. */
  readonly type?: string;
  send(sendChunks: (body: AsyncGenerator<string, void>) => Promise<void>): Promise<void>;
}

export type ControlResponse = { readonly status: 200 | 201 | 204 | 503; readonly body?: object } | GateFailure;
/** One handler for each operation in control.yaml. The compiler reports a missing handler. */
export type ControlHandlers = {
  readonly [Op in ControlOperationId]: (
    request: OperationRequest<Op>,
    deps: ControlDeps,
  ) => Promise<OperationResponse<Op>> | OperationResponse<Op>;
};
type OperationResponse<Op extends ControlOperationId> = Op extends 'streamEverything'
  ? StreamResponse | GateFailure
  : Op extends 'readMetrics' | 'dumpState' | 'downloadWorld' | 'listCollection'
    ? ChunkedResponse | GateFailure
    : ControlResponse;

/** Checks clients' calls, and reads reports. `kit.ts` provides the implementation, so that this folder does not import the client check. */
export interface ReportReader {
  /** Checks the calls in the journal with a number greater than `since`. */
  checkCalls(options: { readonly since: number; readonly wholeLists: boolean }): Promise<Schemas['Findings']>;
  /** Lists the reports in the report folder, the newest first. */
  listReports(): Promise<Schemas['Report'][]>;
  /** Reads a report by name. Returns undefined if `listReports` does not list the name. */
  readReport(name: string): Promise<Schemas['ReportWithPage'] | undefined>;
}

/** The parts of a kit that the handlers use. */
export interface ControlDeps {
  readonly store: Store;
  readonly world: WorldState;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly reportReader: ReportReader;
  readonly metrics: { formatMetrics(): Promise<string> };
  /** Whether the kit is shutting down. */
  isDraining(): boolean;
  /** Creates a context for the service's use cases. */
  createContext(): ServiceContext;
  /** Returns the current world's ready-made access tokens, by name. */
  readyTokens(): Promise<Readonly<Record<string, string>>>;
  /** Creates an access token. */
  mintToken(request: {
    clientId: string;
    principalId?: string | undefined;
    scopes: readonly string[];
    expiresIn: number;
    kind: Schemas['TokenKind'];
  }): string;
  /**
   * Replaces the world. @param to `seed` for the world that the kit started with, `empty` for no entities, or the name of a snapshot
   * @returns false if there is no such snapshot
   */
  reset(to: string): Promise<boolean>;
  /**
   * Moves kit time forward and makes the delivery attempts that become due.
   * @throws RangeError if kit time would be too far ahead
   * @throws WorldReplaced if another world is loaded before the attempts have ended
   */
  advance(
    ms: number,
    maxWaitMs?: number,
  ): Promise<{ readonly attempts: readonly (Attempt & { readonly state: DeliveryState })[]; readonly settled: boolean }>;
  /** Sends a duplicate of a delivery, in addition to the delivery's attempts. */
  sendDuplicate(delivery: Pick<ClaimedDelivery, 'id' | 'eventId' | 'subscriptionId' | 'body' | 'headers'>): Promise<Attempt>;
  /** Deletes the rate windows in memory. Must be called after a world is loaded. */
  clearRateWindows(): void;
  /** Returns a signal that is aborted when the server closes, so that streams end. */
  getClosingSignal(): AbortSignal;
  readonly about: Addresses & { readonly version: string; readonly settings: Readonly<Record<string, unknown>> };
}

/** Creates a refusal. @param pointer a JSON pointer to the error in the request body; undefined if the error is elsewhere */
export function refuseRequest(kind: ControlFailureKind, detail: string, pointer?: string): GateFailure {
  return createControlFailure(kind, detail, pointer === undefined ? [] : [{ pointer, message: detail }]);
}
