import { type TimedCheck, verifyLimit } from '../../expect/rate-limit.ts';
import { must } from '../../expect/rule-broken.ts';
import { getArrivalMs, getResponseEndMs } from '../client/history.ts';
import { type Exchange, succeeds } from './exchange.ts';
import { type JudgeRule, type RuleJudges, type Shown, show } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** Checks that are further apart, in milliseconds, are judged separately. */
const MAX_PAUSE_MS = 1000;
/** The time that `verifyLimit` takes grows with the square of a load's duration. */
const MAX_LOAD_MS = 30_000;
/** Fewer checks exceed no limit, because two calendar seconds allow 200. */
const MIN_CHECKS = 200;

/** Returns each token's checks that follow each other closely. A client's limit is exceeded if that of one of its tokens is. */
function findLoads({ of }: Traffic): readonly (readonly Exchange[])[] {
  const byToken = Map.groupBy(
    of('getExperienceAssignability').filter(({ token }) => token !== undefined),
    ({ token }) => token,
  );
  return [...byToken.values()].flatMap((checks) => {
    const loads: Exchange[][] = [];
    for (const check of checks) {
      const [first, previous] = [loads.at(-1)?.[0], loads.at(-1)?.at(-1)].map((each) => (each ? getArrivalMs(each.call) : -Infinity));
      const now = getArrivalMs(check.call);
      if (now - previous! <= MAX_PAUSE_MS && now - first! <= MAX_LOAD_MS) loads.at(-1)!.push(check);
      else loads.push([check]);
    }
    return loads.filter(({ length }) => length >= MIN_CHECKS);
  });
}

function verifyLoad(load: readonly Exchange[]): ReturnType<typeof verifyLimit> {
  const start = getArrivalMs(load[0]!.call);
  const checks = load.map((each): TimedCheck => {
    const [sentAt, answeredAt] = [getArrivalMs(each.call) - start, getResponseEndMs(each.call) - start];
    return { sentAt, answeredAt, isPassed: succeeds(each) };
  });
  return verifyLimit(checks.sort((a, b) => a.answeredAt - b.answeredAt));
}

function judgeLoads(loads: readonly (readonly Exchange[])[]): Shown[] {
  return loads.flatMap((load) => {
    const { exceeded, isKept } = verifyLoad(load);
    const last = load.at(-1)!;
    return exceeded !== undefined || isKept ? [show(last, () => must(exceeded === undefined, exceeded ?? '', last.answer))] : [];
  });
}

/** A limit for each path form breaks only the rule that both forms share one. */
const judgeRate: JudgeRule = (traffic) =>
  judgeLoads(
    findLoads(traffic).flatMap((load) => [...Map.groupBy(load, ({ form }) => form).values()].filter(({ length }) => length >= MIN_CHECKS)),
  );

const judgeSharedLimit: JudgeRule = (traffic) =>
  judgeLoads(findLoads(traffic).filter((load) => new Set(load.map(({ form }) => form)).size > 1));

export const judgesOfRates = {
  'limits.assignability.rate': judgeRate,
  'limits.assignability.forms-share': judgeSharedLimit,
} satisfies RuleJudges;
