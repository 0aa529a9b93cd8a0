import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Client } from '../actors/api-client.ts';
import { freeTarget } from '../actors/assignments.ts';
import {
  burst,
  type Check,
  firstChecks,
  isLimited,
  LIMIT,
  markUsed,
  mostAllowed,
  OPERATION,
  type RateLoad,
  sendRateLoad,
} from '../actors/load.ts';
import { PROBLEM_RULES } from '../expect/problem.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { isRepeated, repeated } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { test as base } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';

// One load is enough for all these rules, so one worker checks them one after the other. Other checks go on meanwhile: a kit gives each worker its own
// credentials, and any other target has one worker. Two loads at once, one for each path form, are too much for a small machine. With mutants each
// check is in front of another server, and a load is of use to only one.
base.describe.configure({ mode: isRepeated ? 'parallel' : 'default', lock: 'load' });

/** The loads that were sent, by target and path forms. */
const loads = new Map<string, RateLoad>();
let freeNumber: string | undefined;

interface Fixtures {
  /** A check of the credential that is to reach its limit, and one of another credential that no other check uses. */
  readonly samples: readonly [Check, Check | undefined];
  /** The load that was sent under these path forms, if there was one. */
  readonly knownLoad: (forms: readonly PathForm[]) => RateLoad | undefined;
  /** Sends a load under these path forms in turn, or takes the known one. */
  readonly load: (forms: readonly PathForm[]) => Promise<RateLoad>;
}

const keyOf = (api: Client, check: Check, forms: readonly PathForm[]): string => `${forms} ${api.urlOf(OPERATION, check)}`;

const checks = base.extend<Fixtures>({
  samples: async ({ need, has }, use) => {
    await need('token', 'rate', 'experience', 'numbers');
    freeNumber ??= await freeTarget(need, 'PHONE_NUMBER');
    const query = { targetType: 'PHONE_NUMBER', targetValue: freeNumber };
    const call = { path: { experienceId: await need('experience') }, query };
    const [token, otherToken] = await credentials(need, has);
    await use([{ ...call, token }, otherToken === undefined ? undefined : { ...call, token: otherToken }]);
  },
  knownLoad: async ({ api, samples: [check], target }, use) => {
    await use((forms) => {
      const known = loads.get(keyOf(api, check, forms));
      const answers = known ? [...known.all.map(({ answer }) => answer), ...known.meanwhile.map(({ other }) => other)] : [];
      // If this check fails, its evidence is what another check sent.
      target.trail.push(...answers.map((answer) => ({ operationId: OPERATION, answer }) as const));
      return known;
    });
  },
  load: async ({ api, samples: [check, other], knownLoad }, use) => {
    await use(async (forms) => {
      const load = knownLoad(forms) ?? (await sendRateLoad(api, check, forms, other)) ?? notTestable('a check that is answered as one');
      loads.set(keyOf(api, check, forms), load);
      return load;
    });
  },
});
const test = repeated(checks);

/** A token to drive to its limit, and a second one that must not be affected. Unused credentials need no pause before the load. */
async function credentials(need: Need, has: (capability: Capability) => boolean): Promise<readonly [string, string?]> {
  const token = await need('token');
  if (has('token.unused-credential')) {
    const newToken = await need('token.unused-credential');
    return [await newToken(), await newToken()];
  }
  if (has('token.second-credential')) return [await need('token.second-credential'), token];
  // Every other check uses it.
  markUsed({ token });
  return [token];
}

/** The first whole second at which too many checks had passed, or else one at which more were sent than may pass. `unknown`: too few were sent. */
function findLimit(all: RateLoad['all']): { isKept: boolean | 'unknown'; passed: readonly RateLoad['first'][number][]; seconds: number } {
  const duration = Math.ceil((all.at(-1)?.at ?? 0) / 1000);
  const moments = Array.from({ length: duration }, (_, index) => {
    const seconds = index + 1;
    const answers = all.filter(({ at }) => at <= seconds * 1000).map(({ answer }) => answer);
    const passed = answers.filter(({ status }) => status === 200);
    const isExceeded = passed.length > mostAllowed(seconds);
    return { isKept: isExceeded ? false : answers.length > mostAllowed(seconds) || ('unknown' as const), passed, seconds };
  });
  return moments.find(({ isKept }) => isKept === false) ?? moments.find(({ isKept }) => isKept === true) ?? moments.at(-1)!;
}

function isLimitKept(all: RateLoad['all']): boolean {
  return all.every(({ answer }) => answer.status === 200 || isLimited(answer)) && findLimit(all).isKept === true;
}

function expectLimit(all: RateLoad['all'], what: string): void {
  for (const { answer } of all) if (answer.status !== 200) expectStatus(answer, 429);
  const { isKept, passed, seconds } = findLimit(all);
  const most = mostAllowed(seconds);
  if (isKept === 'unknown') notTestable(`more than ${most} checks within ${seconds} seconds`);
  must(isKept, `of the checks ${what} at most ${most} pass within ${seconds} seconds, not ${passed.length}`, passed.at(-1));
}

const BOTH = ['prefixed', 'flat'] as const;

test(...rule('limits.assignability.under-limit'), async ({ api, samples: [check], load }) => {
  // With mutants the load is of use to no other check: only its beginning is sent.
  const beginning = () => firstChecks(check, () => api.once(OPERATION, check));
  const first = isRepeated ? ((await beginning()) ?? notTestable('a check that is answered as one')) : (await load(BOTH)).first;
  for (const answer of first) expectSuccess(OPERATION, answer, 200);
  if (first.length < LIMIT) notTestable(`${LIMIT} checks within a few seconds`);
});

test(...rule('limits.assignability.rate'), async ({ api, load }) => {
  const { all } = await load(BOTH);
  // Each path form may have a limit of its own, which breaks another rule.
  if (!isLimitKept(all)) expectLimit((await load([api.form])).all, 'by one credential');
});

test(...rule('limits.assignability.forms-share'), async ({ api, load }) => {
  const { all } = await load(BOTH);
  if (isLimitKept(all)) return;
  if (!isLimitKept((await load([api.form])).all)) notTestable('a limit under one path form');
  expectLimit(all, 'under both path forms');
});

test(...rule('limits.assignability.per-credential'), async ({ need, load }) => {
  await need('token.second-credential');
  const { meanwhile } = await load(BOTH);
  for (const { other } of meanwhile) expectSuccess(OPERATION, other, 200);
  if (!meanwhile.some(({ before, after }) => isLimited(before) && isLimited(after)))
    notTestable('the limit of one credential in force while another is used');
});

for (const { id, expect } of PROBLEM_RULES) {
  test(...rule(id, 'a check beyond the rate limit'), async ({ api, samples: [check], knownLoad }) => {
    const known = knownLoad(BOTH)?.all.map(({ answer }) => answer);
    const answers = known ?? (await burst(3 * LIMIT, () => api.once(OPERATION, check), { isEnough: isLimited })).answers;
    markUsed(check);
    expect(answers.find(isLimited) ?? notTestable('a check that is refused for coming too often'));
  });
}
