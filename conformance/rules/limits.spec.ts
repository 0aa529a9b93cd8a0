import { must } from '../support/broken.ts';
import { type Burst, burst } from '../support/burst.ts';
import type { Capability } from '../support/capabilities.ts';
import type { Client } from '../support/client.ts';
import type { Answer } from '../support/exchange.ts';
import { freeTarget } from '../support/make-assignment.ts';
import type { Need } from '../support/need.ts';
import { notTestable } from '../support/not-testable.ts';
import { PROBLEM_RULES } from '../support/problem-rules.ts';
import { type Check, LIMIT, OPERATION, type RateLoad, rateLoad, used } from '../support/rate-load.ts';
import { rule } from '../support/rule.ts';
import { test } from '../support/test.ts';
import { refusal, success } from '../support/verify.ts';

// One load shows what all these rules need: they are judged by the same worker, one after the other. Nor is it '-exclusive-', as a kit gives each
// worker credentials of its own, and any other server is judged by one worker.
test.describe.configure({ mode: 'default' });

interface Fixtures {
  readonly api: Client;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
}

const FORMS = ['prefixed', 'flat'] as const;

/** The loads that were sent, by what and where. */
const loads = new Map<string, Promise<RateLoad>>();

/** A load under both path forms, or under that of the check only. */
async function loadUnder(forms: 'both forms' | 'one form', { api, need, has }: Fixtures): Promise<RateLoad> {
  const [good, other] = await credentials({ api, need, has });
  const key = `${forms} ${api.urlOf(OPERATION, good)}`;
  const load = loads.get(key) ?? rateLoad(api, good, forms === 'both forms' ? FORMS : [api.form], other);
  loads.set(key, load);
  return load;
}

let targetValue: Promise<string> | undefined;

/** A check of the credential that is to reach its limit, and one of another. No other checks use the second credential: nothing was counted of it. */
async function credentials({ need, has }: Fixtures): Promise<[Check, Check?]> {
  const token = await need('token', 'rate', 'experience', 'numbers');
  const path = { experienceId: await need('experience') };
  targetValue ??= freeTarget(need, 'PHONE_NUMBER');
  const check = { token, path, query: { targetType: 'PHONE_NUMBER', targetValue: await targetValue } };
  if (has('token.second-credential')) return [{ ...check, token: await need('token.second-credential') }, check];
  used(check);
  return [check];
}

/**
 * How many may pass. How a second is measured is open: sliding, by the calendar, or as a bucket that refills. In n seconds the first lets n × 100
 * pass; n + 1 calendar seconds may touch them; a full bucket and what flows into it is as much. Whatever the window, it is at most (n + 1) × 100.
 */
const mostOf = ({ durationMs }: Burst): number => LIMIT * (Math.ceil(durationMs / 1000) + 1);
const passedOf = ({ answers }: Burst): readonly Answer[] => answers.filter(({ status }) => status === 200);
const isLimited = ({ status }: Answer): boolean => status === 429;

/** Whether more were sent than may pass, and no more did. */
function isKept(burst: Burst): boolean {
  const understood = burst.answers.every((answer) => answer.status === 200 || isLimited(answer));
  return understood && burst.answers.length > mostOf(burst) && passedOf(burst).length <= mostOf(burst);
}

function mustBeKept(burst: Burst, what: string): void {
  for (const answer of burst.answers) if (answer.status !== 200) refusal(answer, 429);
  const [most, passed, within] = [mostOf(burst), passedOf(burst), `within ${Math.round(burst.durationMs)} ms`];
  if (burst.answers.length <= most) notTestable(`more than ${most} checks ${within}`);
  must(passed.length <= most, `of ${burst.answers.length} checks ${what} ${within} at most ${most} pass`, passed.at(-1));
}

test(
  'Up to 100 checks in a second by one credential are not limited.',
  rule('limits.assignability.under-limit'),
  async ({ api, need, has }) => {
    const { first } = await loadUnder('both forms', { api, need, has });
    for (const answer of first) success(OPERATION, answer, 200);
    if (first.length < LIMIT) notTestable(`${LIMIT} checks within a few seconds`);
  },
);

test('Beyond 100 checks per second by one credential the answer is 429.', rule('limits.assignability.rate'), async ({ api, need, has }) => {
  const { all } = await loadUnder('both forms', { api, need, has });
  // If not, each form may have a limit of its own, which is the matter of another rule.
  if (!isKept(all)) mustBeKept((await loadUnder('one form', { api, need, has })).all, 'by one credential');
});

test('Checks under both path forms count towards the same limit.', rule('limits.assignability.forms-share'), async ({ api, need, has }) => {
  const { all } = await loadUnder('both forms', { api, need, has });
  if (isKept(all)) return;
  if (!isKept((await loadUnder('one form', { api, need, has })).all)) notTestable('a limit under one path form');
  mustBeKept(all, 'under both path forms');
});

test(
  'One credential that is over its limit does not limit another.',
  rule('limits.assignability.per-credential'),
  async ({ api, need, has }) => {
    await need('token.second-credential');
    const { meanwhile } = await loadUnder('both forms', { api, need, has });
    for (const { other } of meanwhile) success(OPERATION, other, 200);
    // Only where the first was over its limit before and after does it show anything.
    if (!meanwhile.some(({ before, after }) => isLimited(before) && isLimited(after)))
      notTestable('the limit of one credential in force while another is used');
  },
);

for (const { id, sentence, judge } of PROBLEM_RULES) {
  test(`${sentence}: a check beyond the rate.`, rule(id), async ({ api, need, has }) => {
    const [good] = await credentials({ api, need, has });
    const known = await loads.get(`both forms ${api.urlOf(OPERATION, good)}`);
    const { answers } = known?.all ?? (await burst(3 * LIMIT, () => api.once(OPERATION, good)));
    used(good);
    judge(answers.find(isLimited) ?? notTestable('a check that is refused for coming too often'));
  });
}
