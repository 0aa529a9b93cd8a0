import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../clock/clock.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { WorldState } from '../../service/world-state.ts';
import type { Store } from '../../store/store.ts';
import type { Authority } from '../mint.ts';

/** How authorization requests are answered: by a person at the login page, by each principal's `consent` in the fixtures, or always with a denial. */
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
  /** The issuer of tokens in the current world. */
  authority(): Authority;
  /** The public address that the operator set. If it is undefined, the address of the server is the Host of each request. */
  readonly publicUrl: string | undefined;
  /** The address where the kit listens. */
  baseUrl(): string;
  sendProblem(res: ServerResponse, problem: Problem, headers?: Readonly<Record<string, string>>): unknown;
  /** Logs unexpected errors, never a client's mistake. */
  log(error: unknown, req: IncomingMessage): void;
}
