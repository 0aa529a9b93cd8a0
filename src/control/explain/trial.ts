import type { Judgement } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';
import type { World } from '../../world/world.ts';

type Schemas = components['schemas'];

/** A request as it is sent to a copy of the world. */
export interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whom its access token is minted for; without one there is no Authorization header. */
  readonly token: Schemas['TokenRequest'] | undefined;
}

/** What came back; no status where the connection ended. */
export interface Reply {
  readonly status: number | undefined;
  readonly body: unknown;
  /** Of a request of the service: why it got this answer. */
  readonly judgement?: Judgement | undefined;
}

/** A call of the control API. */
export interface ControlCall {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** A copy of the present world in a kit of its own, which delivers nothing to anyone. What is tried there never touches the world that is served. */
export interface Trial {
  /** What was copied. */
  readonly world: World;
  send(request: SentRequest): Promise<Reply>;
  control(call: ControlCall): Promise<Reply>;
  /** Makes the copy what it was at first: without faults, and with empty rate windows. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Why there can be no copy, in a sentence. */
export interface NoTrial {
  readonly why: string;
}
