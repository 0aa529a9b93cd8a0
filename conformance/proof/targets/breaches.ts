import type { Results } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { KnownServer, ProofFailure } from '../server.ts';
import type { BreachName } from './independent/service.ts';
import { openIndependentServer } from './independent.ts';

interface Breach {
  readonly rule: RuleId;
  /** The words of the specification that state the rule, or imply it. */
  readonly quote: string;
  readonly level: 'documented' | 'implied';
  readonly what: string;
}

const QUOTE_OF_BLOCKED_DELETION = 'any | delete of the connection | telephone numbers still assigned | unchanged | response 409';

/** Faults that depend on the server's state, and that a proxy in front of a correct server (a mutant) therefore does not have. */
const BREACHES: Readonly<Record<BreachName, Breach>> = {
  'agent-conflict-per-provider': {
    rule: 'assignments.create.agent-number-taken',
    quote: 'targetType is PHONE_NUMBER, the Experience is of type AGENT and the number is already assigned to another AGENT Experience',
    level: 'documented',
    what: 'The number can be assigned to a second AGENT Experience of another provider.',
  },
  'deleted-user-listed': {
    rule: 'users.list.eventually-current',
    quote: 'The list comes from a read model updated shortly after writes',
    level: 'documented',
    what: 'The read model never drops a deleted user.',
  },
  'expired-token-grace': {
    rule: 'auth.token.expired',
    quote: 'A missing, invalid or expired token gives 401',
    level: 'documented',
    what: 'A token is accepted for one minute after it expires.',
  },
  'experience-without-account': {
    rule: 'assignments.list.experience-needs-account',
    quote: '400 when: [...] experienceId without accountId',
    level: 'documented',
    what: 'The assignments list accepts experienceId without accountId if targetType and targetValue are given.',
  },
  'inactive-deleted-with-numbers': {
    rule: 'connections.delete.numbers-assigned',
    quote: QUOTE_OF_BLOCKED_DELETION,
    level: 'documented',
    what: 'An INACTIVE connection is deleted although telephone numbers are still assigned.',
  },
  'refused-delete-deactivates': {
    rule: 'connections.delete.refused-changes-nothing',
    quote: QUOTE_OF_BLOCKED_DELETION,
    level: 'documented',
    what: 'The refused deletion of an ACTIVE connection gets 409, but sets the connection to INACTIVE.',
  },
  'second-connection-beside-inactive': {
    rule: 'connections.create.exists',
    quote: '409 (a connection already exists for this account and Experience)',
    level: 'documented',
    what: 'A second connection can be created while the first one is INACTIVE.',
  },
  'types-by-prefix': {
    rule: 'events.subscription.only-listed-types',
    quote: 'The subscriber supplies destinationUrl, optionally experienceId, and the list types of event types',
    level: 'implied',
    what: 'A subscription to one event type receives every event type about the same kind of entity.',
  },
  'user-deletion-keeps-assignment': {
    rule: 'events.assignment.deleted.on-user-deletion',
    quote: 'assignment removed by provider or in the portal, or the assigned account, user or number is deleted',
    level: 'documented',
    what: 'Deleting a user does not delete assignments to the user.',
  },
};

export function findBreaches(rules: readonly RuleId[] | undefined) {
  const all = Object.entries(BREACHES) as [BreachName, Breach][];
  return all.map(([name, breach]) => ({ name, ...breach })).filter(({ rule }) => rules?.includes(rule) ?? true);
}

export function createBreachServers(rules: readonly RuleId[] | undefined): KnownServer[] {
  const breaches = findBreaches(rules);
  if (breaches.length === 0) return [];
  return [
    {
      name: 'independent server with breaches',
      open: () => openIndependentServer(new Map(breaches.map(({ rule, name }) => [rule, name]))),
      run: { rules: breaches.map(({ rule }) => rule), observing: false, forms: ['prefixed'] },
      verify: (results) => findProofFailures(breaches, results),
    },
  ];
}

function findProofFailures(breaches: ReturnType<typeof findBreaches>, { rules, errors }: Results): ProofFailure[] {
  const unnoticed = breaches.flatMap(({ name: server, rule, quote, level, what }): ProofFailure[] => {
    const { level: found, verdict } = rules.find(({ id }) => id === rule) ?? {};
    if (found !== level) return [{ server, rule, text: `The rule has the level ${found}, but the quote has the level ${level}: ${quote}` }];
    return verdict === 'failed' ? [] : [{ server, rule, text: `is ${verdict}. ${what}`, untested: verdict === 'not-testable' }];
  });
  return [...unnoticed, ...errors.map((text) => ({ server: 'independent server with breaches', text }))];
}
