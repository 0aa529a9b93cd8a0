import { setTimeout as pause } from 'node:timers/promises';
import { must } from '../support/broken.ts';
import { type Burst, burst, limited } from '../support/burst.ts';
import type { Call, Client } from '../support/client.ts';
import type { Answer } from '../support/exchange.ts';
import { freeTarget } from '../support/make-assignment.ts';
import type { Need } from '../support/need.ts';
import { notTestable } from '../support/not-testable.ts';
import { createPacer } from '../support/pacer.ts';
import { PROBLEM_RULES } from '../support/problem-rules.ts';
import { rule } from '../support/rule.ts';
import { test } from '../support/test.ts';
import { refusal, success } from '../support/verify.ts';

const OPERATION = 'getExperienceAssignability';
const LIMIT = 100;
/** So many that a limit of 150 shows, and few enough for a small machine to send them. */
const PER_SECOND = 400;
/** After this any window is empty and any bucket is full. */
const IDLE_MS = 1100;

// None of this is '-exclusive-': a kit gives each worker credentials of its own, and any other server is judged by one worker.

type Check = Call & { readonly token: string };

async function goodCheck(need: Need, token: string): Promise<Check> {
  await need('rate', 'experience', 'numbers');
  const path = { experienceId: await need('experience') };
  return { token, path, query: { targetType: 'PHONE_NUMBER', targetValue: await freeTarget(need, 'PHONE_NUMBER') } };
}

/** When a credential was last used, in milliseconds since this worker began. What was before that was before its first moment. */
const lastUse = new Map<string, number>();

/** The credential for loads: if there is a second one that, as no other checks use it. */
async function loadable(need: Need, has: (capability: 'token.second-credential') => boolean): Promise<string> {
  if (has('token.second-credential')) return need('token.second-credential');
  const token = await need('token');
  lastUse.set(token, performance.now());
  return token;
}

/** Waits until the credential was not used for so long that nothing is counted of it any more. */
async function idle({ token }: Check): Promise<void> {
  await pause(Math.max(0, (lastUse.get(token) ?? 0) + IDLE_MS - performance.now()));
}

/** Checks as fast as they are answered. @param form of each, by its number. */
async function checks(api: Client, good: Check, count: number, form?: (index: number) => Client['form']): Promise<Burst> {
  const sent = await burst(count, (index) => api.once(OPERATION, { ...good, ...(form && { form: form(index) }) }));
  lastUse.set(good.token, performance.now());
  return sent;
}

/** Checks at a rate that is beyond the limit, for so long. */
async function load(api: Client, good: Check, ms: number, form?: (index: number) => Client['form']): Promise<Burst> {
  const pace = createPacer(PER_SECOND, () => performance.now());
  const paced: Client = { ...api, once: async (operation, call) => pace().then(() => api.once(operation, call)) };
  return checks(paced, good, (PER_SECOND * ms) / 1000, form);
}

/**
 * How a second is measured is open: sliding, by the calendar, or as a bucket that refills. In n seconds the first lets n × 100 checks pass; n + 1
 * calendar seconds may touch them; a full bucket and what flows into it is as much. So whatever the window, no more than (n + 1) × 100 pass.
 */
function mustBeLimited({ answers, durationMs }: Burst, what: string): void {
  const most = LIMIT * (Math.ceil(durationMs / 1000) + 1);
  const passed = answers.filter((answer) => isPassed(answer));
  if (answers.length <= most) notTestable(`more than ${most} checks within ${Math.round(durationMs)} ms`);
  must(
    passed.length <= most,
    `of ${answers.length} checks ${what} within ${Math.round(durationMs)} ms at most ${most} pass`,
    passed.at(-1),
  );
}

/** @throws RuleBroken unless the check was passed, or refused for coming too often. */
function isPassed(answer: Answer): boolean {
  if (answer.status === 200) success(OPERATION, answer, 200);
  else refusal(answer, 429);
  return answer.status === 200;
}

test(
  'Up to 100 checks in a second by one credential are not limited.',
  rule('limits.assignability.under-limit'),
  async ({ api, need, has }) => {
    const good = await goodCheck(need, await loadable(need, has));
    await idle(good);
    const { answers } = await checks(api, good, LIMIT);
    for (const answer of answers) success(OPERATION, answer, 200);
    if (answers.length < LIMIT) notTestable(`${LIMIT} checks within a few seconds`);
  },
);

test(
  'One credential that is over its limit does not limit another.',
  rule('limits.assignability.per-credential'),
  async ({ api, need }) => {
    const good = await goodCheck(need, await need('token', 'token.second-credential'));
    const second = { ...good, token: await need('token.second-credential') };
    await idle(second);
    let shown = 0;
    // Few enough that the second stays far from a limit of its own.
    for (let rounds = 0; rounds < LIMIT / 2 && shown < LIMIT / 20; rounds++) {
      const before = limited(await checks(api, good, 24));
      const other = await checks(api, second, 1);
      for (const answer of other.answers) success(OPERATION, answer, 200);
      // Only if the first was over its limit before and after did this show anything.
      if (before > 0 && limited(await checks(api, good, 24)) > 0) shown += 1;
    }
    if (shown === 0) notTestable('the limit in force for one credential while another is used');
  },
);

test('Beyond 100 checks per second by one credential the answer is 429.', rule('limits.assignability.rate'), async ({ api, need, has }) => {
  const good = await goodCheck(need, await loadable(need, has));
  // So long that a limit of 150 lets more pass than any window lets pass of 100.
  mustBeLimited(await load(api, good, 2500), 'by one credential');
});

test('Checks under both path forms count towards the same limit.', rule('limits.assignability.forms-share'), async ({ api, need, has }) => {
  const good = await goodCheck(need, await loadable(need, has));
  // So long that two limits of 100 let more pass than any window lets pass of one.
  const sent = await load(api, good, 1500, (index) => (index % 2 === 0 ? 'prefixed' : 'flat'));
  mustBeLimited(sent, 'under both forms');
});

/** By where it was sent, a check that was refused for coming too often. */
const refusals = new Map<string, Answer>();

for (const { id, sentence, judge } of PROBLEM_RULES) {
  test(`${sentence}: a check beyond the rate.`, rule(id), async ({ api, need, has }) => {
    const good = await goodCheck(need, await loadable(need, has));
    const place = api.urlOf(OPERATION, good).split('?')[0]!;
    for (let rounds = 0; rounds < 4 && !refusals.has(place); rounds++) {
      const { answers } = await checks(api, good, 2 * LIMIT + 20);
      for (const answer of answers) if (answer.status === 429) refusals.set(place, answer);
    }
    judge(refusals.get(place) ?? notTestable('a check that is refused for coming too often'));
  });
}
