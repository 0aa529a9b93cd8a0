import type { PathForm } from '../../src/contract/generated/operations.ts';
import { burst } from '../actors/burst.ts';
import type { Client } from '../actors/client.ts';
import { freeTarget } from '../actors/make-assignment.ts';
import { type Check, firstChecks, LIMIT, mostWithin, OPERATION, type RateLoad, rateLoad, used } from '../actors/rate-load.ts';
import { must } from '../expect/broken.ts';
import { PROBLEM_RULES } from '../expect/problem-rules.ts';
import { refusal, success } from '../expect/verify.ts';
import { isRepeated, repeated } from '../runner/repeated.ts';
import { RATE, rule } from '../runner/rule.ts';
import { test as base } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';

// One load shows what all these rules need, so one worker judges them, one after the other, and first of all, as it mostly waits while others go on.
// It need not be exclusive: a kit gives each worker credentials of its own, and any other server is judged by one worker; but two loads at once, one
// for each form, are more than a small machine sends. Where each check is in front of another server, a load serves only one.
base.describe.configure(isRepeated ? { mode: 'parallel' } : { mode: 'default', lock: 'load' });

/** The loads that were sent, by what and where. */
const loads = new Map<string, RateLoad>();
let free: string | undefined;

interface Fixtures {
  /** A check of the credential that is to reach its limit, and if possible one of another: no other checks use the second one, so that it is idle. */
  readonly good: readonly [Check, Check | undefined];
  /** The load that was sent here already, if there was one. */
  readonly sent: (forms: readonly PathForm[]) => RateLoad | undefined;
  /** A load under these path forms in turn. */
  readonly load: (forms: readonly PathForm[]) => Promise<RateLoad>;
}

const checks = base.extend<Fixtures>({
  good: async ({ need, has }, use) => {
    await need('token', 'rate', 'experience', 'numbers');
    free ??= await freeTarget(need, 'PHONE_NUMBER');
    const call = { path: { experienceId: await need('experience') }, query: { targetType: 'PHONE_NUMBER', targetValue: free } };
    const [token, other] = await credentials(need, has);
    await use([{ ...call, token }, other === undefined ? undefined : { ...call, token: other }]);
  },
  sent: async ({ api, good, target }, use) => {
    await use((forms) => {
      const known = loads.get(placeOf(api, good[0], forms));
      const answers = known ? [...known.all.map(({ answer }) => answer), ...known.meanwhile.map(({ other }) => other)] : [];
      // A check that is judged by what another one sent shows that where it fails.
      target.trail.push(...answers.map((answer) => ({ operationId: OPERATION, answer }) as const));
      return known;
    });
  },
  load: async ({ api, good, sent }, use) => {
    await use(async (forms) => {
      const load = sent(forms) ?? (await rateLoad(api, good[0], forms, good[1])) ?? notTestable('a check that is answered as one');
      loads.set(placeOf(api, good[0], forms), load);
      return load;
    });
  },
});
const test = repeated(checks);

/** The one that is to reach its limit, and another. Those that nobody has used yet need not be idle first. */
async function credentials(need: Need, has: (capability: Capability) => boolean): Promise<readonly [string, string?]> {
  const token = await need('token');
  if (has('token.unused-credential')) {
    const unused = await need('token.unused-credential');
    return [await unused(), await unused()];
  }
  if (has('token.second-credential')) return [await need('token.second-credential'), token];
  // All other checks use it.
  used({ token });
  return [token];
}

const placeOf = (api: Client, good: Check, forms: readonly PathForm[]): string => `${forms} ${api.urlOf(OPERATION, good)}`;

const BOTH = ['prefixed', 'flat'] as const;
const isLimited = ({ status }: Answer): boolean => status === 429;

/** What passed until the end of each whole second, and whether that was no more than may. `unknown`: not even so many were sent. */
function limitOf(all: RateLoad['all']): { kept: boolean | 'unknown'; passed: readonly Answer[]; seconds: number } {
  const lasted = Math.ceil((all.at(-1)?.at ?? 0) / 1000);
  const moments = Array.from({ length: lasted }, (_, index) => {
    const seconds = index + 1;
    const answers = all.filter(({ at }) => at <= seconds * 1000).map(({ answer }) => answer);
    const passed = answers.filter(({ status }) => status === 200);
    const wereMore = answers.length > mostWithin(seconds);
    return { kept: passed.length > mostWithin(seconds) ? false : wereMore || ('unknown' as const), passed, seconds };
  });
  return moments.find(({ kept }) => kept === false) ?? moments.find(({ kept }) => kept === true) ?? moments.at(-1)!;
}

function isKept(all: RateLoad['all']): boolean {
  return all.every(({ answer }) => answer.status === 200 || isLimited(answer)) && limitOf(all).kept === true;
}

function mustBeKept(all: RateLoad['all'], what: string): void {
  for (const { answer } of all) if (answer.status !== 200) refusal(answer, 429);
  const { kept, passed, seconds } = limitOf(all);
  const most = mostWithin(seconds);
  if (kept === 'unknown') notTestable(`more than ${most} checks within ${seconds} seconds`);
  must(kept, `of the checks ${what} at most ${most} pass within ${seconds} seconds, not ${passed.length}`, passed.at(-1));
}

test(
  'Up to 100 checks in a second by one credential are not limited.',
  rule('limits.assignability.under-limit', RATE),
  async ({ api, good, load }) => {
    // The rest of a load is for the rules below: where it serves only this one it is not sent.
    const alone = () => firstChecks(good[0], () => api.once(OPERATION, good[0]));
    const first = isRepeated ? ((await alone()) ?? notTestable('a check that is answered as one')) : (await load(BOTH)).first;
    for (const answer of first) success(OPERATION, answer, 200);
    if (first.length < LIMIT) notTestable(`${LIMIT} checks within a few seconds`);
  },
);

test(
  'Beyond 100 checks per second by one credential the answer is 429.',
  rule('limits.assignability.rate', RATE),
  async ({ api, load }) => {
    const { all } = await load(BOTH);
    // If not, each form may have a limit of its own, which is the matter of another rule.
    if (!isKept(all)) mustBeKept((await load([api.form])).all, 'by one credential');
  },
);

test(
  'Checks under both path forms count towards the same limit.',
  rule('limits.assignability.forms-share', RATE),
  async ({ api, load }) => {
    const { all } = await load(BOTH);
    if (isKept(all)) return;
    if (!isKept((await load([api.form])).all)) notTestable('a limit under one path form');
    mustBeKept(all, 'under both path forms');
  },
);

test(
  'One credential that is over its limit does not limit another.',
  rule('limits.assignability.per-credential', RATE),
  async ({ need, load }) => {
    await need('token.second-credential');
    const { meanwhile } = await load(BOTH);
    for (const { other } of meanwhile) success(OPERATION, other, 200);
    // Only where the first was over its limit before and after does it show anything.
    if (!meanwhile.some(({ before, after }) => isLimited(before) && isLimited(after)))
      notTestable('the limit of one credential in force while another is used');
  },
);

for (const { id, sentence, judge } of PROBLEM_RULES) {
  test(`${sentence}: a check beyond the rate.`, rule(id, RATE), async ({ api, good: [good], sent }) => {
    const known = sent(BOTH)?.all.map(({ answer }) => answer);
    const answers = known ?? (await burst(3 * LIMIT, () => api.once(OPERATION, good), { enough: isLimited })).answers;
    used(good);
    judge(answers.find(isLimited) ?? notTestable('a check that is refused for coming too often'));
  });
}
