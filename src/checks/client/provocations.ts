import type { components } from '../../contract/generated/control.ts';

type FaultRequest = components['schemas']['FaultRequest'];

/** The faults that `--provoke` adds to exercise the rules about errors. Each affects one request. */
export const PROVOCATIONS = {
  /** A 401 response to the second request. It must be first, because a fault does not count requests that earlier faults answer. */
  expiry: [{ fault: 'problem', rule: 'auth.token.expired', after: 1, times: 1 }],
  /** A redirect to the client with a wrong `state` and a valid code. */
  state: [{ fault: 'altered-state', times: 1 }],
  /** One 429 response to an assignability check, and one 429 response to a request for users. */
  rate: [
    { fault: 'problem', rule: 'limits.assignability.rate', times: 1 },
    { fault: 'problem', rule: 'users.list.rate', times: 1 },
  ],
  /** A 400 response to a request with a cursor. */
  cursor: [{ fault: 'problem', rule: 'users.list.cursor-malformed', match: { cursor: '*' }, times: 1 }],
} as const satisfies Record<string, readonly FaultRequest[]>;

export type Provocation = keyof typeof PROVOCATIONS;

export const ALL_PROVOCATIONS = Object.keys(PROVOCATIONS) as Provocation[];
