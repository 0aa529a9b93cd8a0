import type { Ask, ExplainingKit } from './kit.ts';
import { A, ADA, account, assign, C, number, type ProblemId, type Refusal, STAGE, USERS } from './refusals.ts';
import { NOBODY } from './world.ts';

/** Decisions other than by default, and what is refused where they are in force. */
export const OTHER_DECISIONS = {
  'http.body.content-type': 415,
  'http.query.unknown-parameter': 400,
  'lists.hidden-account': 404,
  'assignments.list.account-with-target': 400,
  'assignments.create.needs-connection': 409,
  'connections.list.unknown-number': 404,
  'connections.list.malformed-tn-beside-number': 400,
  'connections.delete.blocking-numbers': 'experience',
  'users.rate-limit': 3,
} as const;

const afterThree =
  (request: Ask) =>
  async ({ ask }: ExplainingKit): Promise<Ask> => {
    for (let sent = 0; sent < 3; sent++) await ask(request);
    return request;
  };

export const otherRefusals: { readonly [Id in ProblemId]?: Refusal } = {
  'http.unsupported-media-type': assign(number('+12065550101', 'agent'), { headers: { 'content-type': 'text/plain' } }),
  'http.unknown-parameter': { path: `${USERS}&limit=5` },
  'lists.hidden-account': [{ path: `${A}?accountId=${account('hidden')}` }, { path: `${C}?accountId=${NOBODY}` }],
  'assignments.list.account-with-target': { path: `${A}?${STAGE}&targetType=PHONE_NUMBER&targetValue=%2B12065550100` },
  'assignments.create.needs-connection': assign(number('+12065550101')),
  'connections.list.unknown-number': { path: `${C}?telephoneNumber=%2B12065559999` },
  'connections.list.malformed-tn-beside-number': { path: `${C}?telephoneNumber=%2B12065550100&tn=1` },
  'users.list.rate': afterThree({ path: USERS }),
  'users.get.rate': afterThree({ path: ADA }),
};
