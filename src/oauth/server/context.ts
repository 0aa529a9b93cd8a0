import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../clock/clock.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { WorldState } from '../../service/world-state.ts';
import type { Store } from '../../store/store.ts';
import type { Authority } from '../mint.ts';

/** `page`: a person decides. `auto`: the principal's `consent` in the fixtures decides. `deny`: every request is denied. */
export const LOGIN_MODES = ['page', 'auto', 'deny'] as const;
export type LoginMode = (typeof LOGIN_MODES)[number];

interface Problem {
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

export interface AuthorizationContext {
  readonly store: Store;
  readonly world: WorldState;
  readonly clock: Clock;
  readonly decisions: Decisions;
  readonly login: LoginMode;
  getAuthority(): Authority;
  /** If undefined, the server derives its address from each request's Host header. */
  readonly publicUrl: string | undefined;
  baseUrl(): string;
  /** The path of the world below the kit's address, such as `/w/test-1`, or an empty string. `publicUrl` and `baseUrl` contain it. */
  readonly prefix: string;
  shouldAlterState(res: ServerResponse): Promise<boolean>;
  /** Returns the store for a request's writes. Its transactions also store the journal entry, if replicas share the journal. */
  withEntry(store: Store, res: ServerResponse, body: unknown): Store;
  sendProblem(res: ServerResponse, problem: Problem, headers?: Readonly<Record<string, string>>): unknown;
  /** Logs an unexpected error, but no error that a client caused. */
  logError(error: unknown, req: IncomingMessage): void;
}
