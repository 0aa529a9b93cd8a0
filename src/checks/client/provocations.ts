import type { components } from '../../contract/generated/control.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { OperationId } from '../../contract/generated/operations.ts';

type FaultRequest = components['schemas']['FaultRequest'];

/** The lifetime of the first token under `expiry`. A client that ignores expires_in sends the token again after a slow response. */
export const SHORT_TOKEN_LIFETIME_S = 1;

/** How long a provoked 429 or 503 takes, so that a repetition cannot be mistaken for an equal request that was sent in parallel. */
export const REFUSAL_LATENCY_MS = 100;

const delay = (operation: OperationId, times: number) => ({ fault: 'latency', operation, latencyMs: REFUSAL_LATENCY_MS, times }) as const;
const refuse = (operation: OperationId, rule: string) => [delay(operation, 1), { fault: 'problem', rule, times: 1 }] as const;

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
    ...refuse('getExperienceAssignability', 'limits.assignability.rate'),
    ...refuse('getUsers', 'users.list.rate'),
    ...refuse('getUser', 'users.get.rate'),
  ],
  cursor: [{ fault: 'problem', rule: 'users.list.cursor-malformed', match: { cursor: '*' }, times: 1 }],
  outage: (['getUsers', 'getUser'] as const).flatMap((operation) => [
    delay(operation, 2),
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
