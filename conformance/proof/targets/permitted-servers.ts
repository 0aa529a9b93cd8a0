import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parse } from 'yaml';
import type { DecisionId, Decisions } from '../../../src/contract/generated/decisions.ts';
import type { Results } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { QUIRKS, type QuirkName } from '../mutants/quirks.ts';
import { type Expected, findUnexpectedVerdicts, type KnownServer, type OpenServer } from '../server.ts';
import { alternatives } from '../variants/plan.ts';
import { openIndependentServer } from './independent.ts';
import { openRelayed } from './permitted-relay.ts';
import { startSecondClient } from './second-client.ts';
import { openStagingKit } from './staging-kit.ts';

/** An entry in permitted-servers.yaml, which describes the members. */
interface Description {
  readonly base?: 'independent';
  readonly listsLag?: number;
  readonly usersLag?: number;
  readonly secondClient?: boolean;
  readonly quirks: readonly QuirkName[];
  readonly rules?: readonly string[];
}

const descriptions = parse(readFileSync(new URL('./permitted-servers.yaml', import.meta.url), 'utf8')) as readonly Description[];

/** The relay changes signed bodies, and the checks must see repeats within seconds. */
const FIXED: readonly DecisionId[] = ['events.delivery.signature', 'events.delivery.retry-schedule'];

/** Correct servers that differ from the kit in many permitted ways at once. The suite knows them only from a profile. */
export const PERMITTED_SERVERS = descriptions.map((description, index) => {
  const decisions = description.base === 'independent' || description.rules ? {} : chooseDecisions(description, index);
  return { ...description, name: `permitted ${index + 1}`, decisions, open: () => openPermittedServer(description, decisions) };
});
const SHARED = PERMITTED_SERVERS.filter(({ rules }) => rules === undefined);

/** To save time, tests each rule with one server, and with the servers that name it, unless rules are selected. */
export function createPermittedServers(selected: readonly RuleId[] | undefined): KnownServer[] {
  return PERMITTED_SERVERS.flatMap(({ name, quirks, rules: named, open }, index) => {
    const isShare = (position: number) => (position + index) % SHARED.length === 0;
    const isOwn = (id: RuleId, position: number) =>
      named?.some((pattern) => matchesGlob(id, pattern)) ?? (selected !== undefined || isShare(position));
    const own = rulesInScope.flatMap(({ id }, position) => (isOwn(id, position) && (selected?.includes(id) ?? true) ? id : []));
    const rules = own.filter((id) => !NOT_TESTED.test(id) && !(id === 'users.list.count-present' && quirks.includes('no count')));
    const run = { rules, observing: false, forms: [index % 2 === 0 ? 'prefixed' : 'flat'] as const };
    const verify = (results: Results) => findUnexpectedVerdicts(name, results, () => CORRECT);
    return rules.length === 0 ? [] : [{ name, open, run, verify }];
  });
}
/** The relay is too slow for rate limits, and its authorization server is not known to the suite. */
const NOT_TESTED = /^(limits|oauth)\./;
const CORRECT: Expected = {
  verdicts: ['passed', 'not-applicable', 'partly-tested', 'not-testable'],
  why: 'the server differs from the kit in permitted ways only',
};

async function openPermittedServer({ base, quirks, secondClient }: Description, decisions: Partial<Decisions>): Promise<OpenServer> {
  const inner = await (base === 'independent' ? openIndependentServer() : openStagingKit({ set: decisions, hasHooks: true }));
  // Apply the quirks in the order of QUIRKS, because some depend on the kit's own responses.
  const handlers = (Object.keys(QUIRKS) as QuirkName[]).filter((name) => quirks.includes(name)).map((name) => QUIRKS[name]());
  const cleanup = new AsyncDisposableStack();
  const relayed = cleanup.use(await openRelayed(inner, handlers));
  if (secondClient) cleanup.use(await startSecondClient(inner.settings.hooks!, relayed.sinkUrl));
  return { ...relayed, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

function chooseDecisions({ quirks, listsLag = 0, usersLag = 250 }: Description, index: number): Partial<Decisions> {
  const fixed = quirks.includes('upper-case ids') ? [...FIXED, 'http.uuid-letter-case'] : FIXED;
  const chosen = [...alternatives].flatMap(([id, values]) => {
    const [byte = 0] = createHash('sha256').update(`${index}. ${id}`).digest();
    const value = values[(byte % (values.length + 1)) - 1];
    return fixed.includes(id) || value === undefined ? [] : [[id, value] as const];
  });
  return { ...Object.fromEntries(chosen), 'lists.read-model-lag': listsLag, 'users.list.read-model-lag': usersLag };
}
