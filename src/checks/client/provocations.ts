import type { components } from '../../contract/generated/control.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';

type FaultRequest = components['schemas']['FaultRequest'];

/** The lifetime of the first token under `expiry`. A client that ignores expires_in sends the token again after a slow response. */
export const SHORT_TOKEN_LIFETIME_S = 1;

/** The faults that `--provoke` adds to exercise the rules about errors. */
export const PROVOCATIONS = {
  /** These faults must be added first, because `after` does not count requests that earlier faults answer. */
  expiry: [
    { fault: 'slow-response', latencyMs: 2300, times: 1 },
    { fault: 'problem', rule: 'auth.token.expired', after: 1, times: 1 },
    { fault: 'problem', rule: 'auth.token.expired', match: { cursor: '*' }, times: 1 },
  ],
  state: [{ fault: 'altered-state', times: 1 }],
  rate: [
    { fault: 'problem', rule: 'limits.assignability.rate', times: 1 },
    { fault: 'problem', rule: 'users.list.rate', times: 1 },
    { fault: 'problem', rule: 'users.get.rate', times: 1 },
  ],
  cursor: [{ fault: 'problem', rule: 'users.list.cursor-malformed', match: { cursor: '*' }, times: 1 }],
  outage: (['getUsers', 'getUser'] as const).flatMap((operation) => [
    { fault: 'problem', status: 503, operation, headers: { 'Retry-After': '1' }, times: 1 },
    { fault: 'problem', status: 503, operation, times: 1 },
  ]),
  pages: [],
} as const satisfies Record<string, readonly FaultRequest[]>;

export type Provocation = keyof typeof PROVOCATIONS;

export const ALL_PROVOCATIONS = Object.keys(PROVOCATIONS) as Provocation[];

/** The decisions of a kit that tests a client, unless the user makes other ones. */
export const chooseDecisions = (provoked: readonly Provocation[]): Partial<Decisions> => ({
  'lists.cursor.format': 'reserved-characters',
  ...(provoked.includes('pages') && { 'lists.page-fill': 'empty' }),
});
