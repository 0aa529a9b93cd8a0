import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '../../clock/clock.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { WorldState } from '../../service/world-state.ts';
import type { Store } from '../../store/store.ts';
import type { Authority } from '../authority.ts';
import type { LoginMode } from '../login-mode.ts';

/** What a problem says, as the machinery of the doors sends it. */
export interface SentProblem {
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
  /** Whether the control API is enabled. */
  readonly control: boolean;
  /** Who issues the tokens of the present world. */
  authority(): Authority;
  /** Where clients reach the kit, if the operator said so; else it is where each of them asks. */
  readonly publicUrl: string | undefined;
  /** Where the kit listens. */
  baseUrl(): string;
  sendProblem(res: ServerResponse, problem: SentProblem, headers?: OutgoingHttpHeaders): unknown;
  /** Told of what nobody expected; never of a client's mistake. */
  log(error: unknown, req: IncomingMessage): void;
}
