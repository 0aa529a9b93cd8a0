import type { components } from '../../contract/generated/control.ts';

type FaultRequest = components['schemas']['FaultRequest'];

/** Faults for rules that a client's calls might not exercise otherwise. Each fault affects one request. */
export const PROVOCATIONS = {
  /**
   * A 401 to the second request, as if the access token had expired. This fault comes first, because a later 401 could answer a request
   * that the client repeats after a 429.
   */
  expiry: [{ fault: 'problem', rule: 'auth.token.expired', after: 1, times: 1 }],
  /** A redirect to the client with a wrong `state` and a valid code. */
  state: [{ fault: 'altered-state', times: 1 }],
  /** A 429 to an assignability check, and to a request for users. */
  rate: [
    { fault: 'problem', rule: 'limits.assignability.rate', times: 1 },
    { fault: 'problem', rule: 'users.list.rate', times: 1 },
  ],
  /** A 400 to a request with a cursor. */
  cursor: [{ fault: 'problem', rule: 'users.list.cursor-malformed', match: { cursor: '*' }, times: 1 }],
} as const satisfies Record<string, readonly FaultRequest[]>;

export type Provocation = keyof typeof PROVOCATIONS;

export const ALL_PROVOCATIONS = Object.keys(PROVOCATIONS) as Provocation[];
