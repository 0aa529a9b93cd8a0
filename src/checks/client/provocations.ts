import type { components } from '../../contract/generated/control.ts';

type FaultRequest = components['schemas']['FaultRequest'];

/** The faults that `--provoke` adds to exercise the rules about errors. */
export const PROVOCATIONS = {
  /** This fault must be added first, because `after` does not count requests that earlier faults answer. */
  expiry: [{ fault: 'problem', rule: 'auth.token.expired', after: 1, times: 1 }],
  state: [{ fault: 'altered-state', times: 1 }],
  rate: [
    { fault: 'problem', rule: 'limits.assignability.rate', times: 1 },
    { fault: 'problem', rule: 'users.list.rate', times: 1 },
  ],
  cursor: [{ fault: 'problem', rule: 'users.list.cursor-malformed', match: { cursor: '*' }, times: 1 }],
} as const satisfies Record<string, readonly FaultRequest[]>;

export type Provocation = keyof typeof PROVOCATIONS;

export const ALL_PROVOCATIONS = Object.keys(PROVOCATIONS) as Provocation[];
