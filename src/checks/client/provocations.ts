import type { components } from '../../contract/generated/control.ts';

type FaultRequest = components['schemas']['FaultRequest'];

/** The faults that provoke what the calls of a client alone cannot show. Each fault affects one request. */
export const PROVOCATIONS = {
  /**
   * A 401 to the second request, as if the access token had expired. It comes before the other faults. Otherwise it could be the response to
   * the repetition of a request that got 429.
   */
  expiry: [{ fault: 'problem', rule: 'auth.token.expired', after: 1, times: 1 }],
  /** A callback with a wrong state and a valid code. */
  state: [{ fault: 'altered-state', times: 1 }],
  /** A 429 to an assignability check, and to a request about users. */
  rate: [
    { fault: 'problem', rule: 'limits.assignability.rate', times: 1 },
    { fault: 'problem', rule: 'users.list.rate', times: 1 },
  ],
  /** A refused cursor. */
  cursor: [{ fault: 'problem', rule: 'users.list.cursor-malformed', match: { cursor: '*' }, times: 1 }],
} as const satisfies Record<string, readonly FaultRequest[]>;

export type Provocation = keyof typeof PROVOCATIONS;

export const ALL_PROVOCATIONS = Object.keys(PROVOCATIONS) as Provocation[];
