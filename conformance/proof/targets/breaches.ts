import type { Results } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { KnownServer, ProofFailure } from '../server.ts';
import { BREACHES, type BreachName } from './independent/breaches.ts';
import { openIndependentServer } from './independent.ts';

const BROKEN_RULES: Readonly<Record<BreachName, RuleId>> = {
  'account-deletion-silent': 'events.connection.deleted.on-account-deletion',
  'agent-conflict-per-provider': 'assignments.create.agent-number-taken',
  'both-client-authentications': 'oauth.clients.both-methods',
  'bucket-per-path-form': 'limits.assignability.forms-share',
  'claim-missing-403': 'auth.claim.principal',
  'code-twice': 'oauth.code.single-use',
  'connections-scope-for-assignments': 'assignments.list.scope',
  'count-of-page': 'users.list.count',
  'cursor-ignores-sort-order': 'users.list.cursor-other-sort-order',
  'deleted-user-listed': 'users.list.eventually-current',
  'expired-token-grace': 'auth.token.expired',
  'experience-filter-lost': 'assignments.list.by-account-experience-and-type',
  'experience-without-account': 'assignments.list.experience-needs-account',
  'failure-told': 'users.list.internal',
  'hidden-account-404': 'users.list.hidden-account-empty',
  'hidden-connections-listed': 'connections.list.only-visible',
  'hidden-user-told': 'users.get.causes-indistinguishable',
  'ignored-number-checked': 'connections.list.account-wins',
  'inactive-deleted-with-numbers': 'connections.delete.numbers-assigned',
  'limit-without-trace-id': 'http.problem.trace-id',
  'local-time': 'connections.get.shape',
  'narrow-subscription-flooded': 'events.subscription.only-its-experience',
  'new-id-on-repeat': 'events.headers.webhook-id-kept',
  'no-retry-after-4xx': 'events.delivery.retries-non-2xx',
  'number-deletion-silent': 'events.assignment.deleted.on-number-deletion',
  'numeric-id-unknown': 'users.get.by-legacy-numeric-id',
  'page-size-capped': 'users.list.page-size-range',
  'page-size-prefix': 'users.list.page-size-range',
  'pkce-optional': 'oauth.pkce.required',
  'portal-deactivation-silent': 'events.connection.deactivated.on-portal-action',
  'reader-gets-404': 'assignments.delete.read-only',
  'redirect-acknowledges': 'events.delivery.retries-redirects',
  'refused-assignment-created': 'assignments.create.refused-changes-nothing',
  'refused-delete-deactivates': 'connections.delete.refused-changes-nothing',
  'refused-update-touches': 'connections.update.same-state-unchanged',
  'second-connection-beside-inactive': 'connections.create.exists',
  'second-delete-204': 'assignments.delete.not-found',
  'stale-user': 'users.get.current',
  'target-format-unchecked': 'assignability.target-value-format',
  'timestamp-of-first-attempt': 'events.headers.webhook-timestamp-of-repeat',
  'tn-wins': 'connections.list.telephone-number-wins',
  'types-by-prefix': 'events.subscription.only-listed-types',
  'unfound-target-assignable': 'assignability.unknown-target-false',
  'unknown-user-404': 'assignments.create.unknown-user',
  'updated-at-creation': 'users.updated-at-null',
  'updated-at-not-moved': 'connections.update.updated-at-grows',
  'user-deletion-keeps-assignment': 'events.assignment.deleted.on-user-deletion',
  'user-get-fails-open': 'users.get.fail-closed',
  'verifier-any-length': 'oauth.pkce.verifier-length',
};

/** The rules whose checks detect a breach of a different rule. */
const DETECTING_RULES: Readonly<Partial<Record<BreachName, RuleId>>> = { 'limit-without-trace-id': 'limits.assignability.rate' };

/** For each rule, the breach that is active while the rule's checks run. */
type Breaches = ReadonlyMap<RuleId, BreachName>;

const ALL_BREACHES = (Object.entries(BROKEN_RULES) as [BreachName, RuleId][]).map(([name, rule]) => ({
  name,
  rule,
  shownBy: DETECTING_RULES[name] ?? rule,
}));

export function findBreaches(rules: readonly RuleId[] | undefined) {
  return ALL_BREACHES.filter(({ rule }) => rules?.includes(rule) ?? true);
}

/** A run can break only one rule of each group, because the group's checks share requests or events. */
const CONFLICTING_RULES: readonly (readonly RuleId[])[] = [
  ['limits.assignability.forms-share', 'limits.assignability.rate'],
  ['events.delivery.retries-non-2xx', 'events.headers.webhook-id-kept', 'events.headers.webhook-timestamp-of-repeat'],
];

/** Puts each breach into the first run without a conflicting breach. */
function planRuns(rules: readonly RuleId[] | undefined): readonly Breaches[] {
  const runs: Map<RuleId, BreachName>[] = [];
  for (const { name, shownBy } of findBreaches(rules)) {
    const others = CONFLICTING_RULES.find((group) => group.includes(shownBy)) ?? [shownBy];
    const free = runs.find((run) => !others.some((other) => run.has(other)));
    if (free) free.set(shownBy, name);
    else runs.push(new Map([[shownBy, name]]));
  }
  return runs;
}

export function createBreachServers(rules: readonly RuleId[] | undefined): KnownServer[] {
  return planRuns(rules).map((breaches, index) => ({
    name: `independent server with breaches, run ${index + 1}`,
    open: () => openIndependentServer(breaches),
    run: { rules: [...breaches].flatMap(([shownBy, name]) => [shownBy, BROKEN_RULES[name]]), observing: false, forms: ['prefixed'] },
    verify: (results) => findProofFailures(breaches, results),
  }));
}

function findProofFailures(breaches: Breaches, { rules, errors }: Results): ProofFailure[] {
  const unnoticed = [...breaches].flatMap(([shownBy, breach]): ProofFailure[] => {
    const about = { server: breach, rule: BROKEN_RULES[breach], shownBy };
    const { level, verdict } = rules.find(({ id }) => id === about.rule) ?? {};
    const { implied, what, quote } = BREACHES[breach];
    const expected = implied ? 'implied' : 'documented';
    if (level !== expected)
      return [
        { ...about, text: `The rule has the level ${level}, but the breach contradicts a sentence with the level ${expected}: ${quote}` },
      ];
    return verdict === 'failed' ? [] : [{ ...about, text: `is ${verdict}. ${what}`, untested: verdict === 'not-testable' }];
  });
  return [...unnoticed, ...errors.map((text) => ({ server: 'independent server with breaches', text }))];
}
