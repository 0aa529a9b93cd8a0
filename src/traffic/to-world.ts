import { compareInstants, toMilliseconds } from '../contract/instants.ts';
import { DEFAULT_SCOPES, type World } from '../world/world.ts';
import { getAccess, LearnedAccess } from './learned-access.ts';
import type { LearnedFacts } from './learned-facts.ts';
import { createPseudonyms, type Names, realNames } from './pseudonyms.ts';

export interface RecordOptions {
  /** The world's name. */
  readonly name: string;
  /** Whether to keep the real ids, names and telephone numbers. Default: false. */
  readonly keepsNames?: boolean;
}

/** Builds a world file's content, with which a kit answers as the service did. */
export function buildWorld(facts: LearnedFacts, { name, keepsNames = false }: RecordOptions): World {
  const names: Names = keepsNames ? realNames : createPseudonyms(facts);
  const { id } = names;
  const instants = moveInstants([facts.users, facts.connections, facts.assignments].flatMap((each) => [...each.values()]));
  const getTimes = ({ createdAt, updatedAt }: Times) => ({
    ...(instants.has(createdAt) && { createdAt: instants.get(createdAt)! }),
    ...(instants.has(updatedAt) && { updatedAt: instants.get(updatedAt)! }),
  });
  const alias = (kind: string, ids: Iterable<string>) => new Map([...ids].sort().map((each, index) => [each, `${kind}-${index + 1}`]));
  const accounts = alias('account', facts.accounts.keys());
  const experiences = alias('experience', facts.experiences.keys());
  const tokens = mergeAccess(facts.access.values());
  const fromEntries = <Value>(entries: Iterable<readonly [string | undefined, Value]>) =>
    Object.fromEntries(entries) as Record<string, Value>;

  const levelsOf = (experience: string) =>
    tokens.flatMap(({ experiences: known }, index) => [[`provider-${index + 1}`, getAccess(known.get(experience) ?? 'none')] as const]);
  const assigned = (value: string, type: string) =>
    type === 'PHONE_NUMBER' ? names.number(value) : type === 'ACCOUNT' ? accounts.get(value) : id(value);
  return {
    world: name,
    description: 'Recorded from the traffic of a service.',
    providers: fromEntries(tokens.map((_, index) => [`provider-${index + 1}`, { name: `Provider ${index + 1}` }])),
    experiences: fromEntries(
      [...experiences].map(([experience, key]) => {
        const levels = levelsOf(experience);
        const [provider] = levels.find(([, level]) => level === 'manage') ?? levels.find(([, level]) => level === 'read') ?? levels[0]!;
        const given = levels.filter(([other, level]) => (other === provider ? level !== 'manage' : level !== 'none'));
        const type = facts.experiences.get(experience) ? ('AGENT' as const) : ('GENERAL' as const);
        const named = { id: id(experience), provider, name: `Experience ${key.slice('experience-'.length)}`, type };
        return [key, { ...named, ...(given.length > 0 && { levels: Object.fromEntries(given) }) }];
      }),
    ),
    accounts: fromEntries(
      [...accounts].map(([account, key]) => [
        key,
        { id: id(account), name: (keepsNames && facts.accounts.get(account)) || key.replace('account-', 'Account ') },
      ]),
    ),
    telephoneNumbers: fromEntries(
      [...facts.numbers].map(([number, account]) => [names.number(number), { account: accounts.get(account)! }]),
    ),
    users: fromEntries(
      [...facts.users].map(([user, { accountId, firstName, lastName, nativeIds, ...times }], index) => [
        `user-${index + 1}`,
        {
          ...{ id: id(user), account: accounts.get(accountId)! },
          ...(firstName && { firstName: names.first(firstName) }),
          ...(lastName && { lastName: names.last(lastName) }),
          ...getTimes(times),
          ...(nativeIds.length > 0 && { nativeIds: nativeIds.map((each) => names.nativeId(each)) }),
        },
      ]),
    ),
    principals: fromEntries(
      tokens.map(({ accounts: known }, index) => [
        `principal-${index + 1}`,
        {
          name: `Principal ${index + 1}`,
          accounts: fromEntries(
            [...known].flatMap(([account, level]) => (accounts.has(account) ? [[accounts.get(account), getAccess(level)]] : [])),
          ),
        },
      ]),
    ),
    clients: fromEntries(
      tokens.map((_, index) => [`client-${index + 1}`, { provider: `provider-${index + 1}`, name: `Client ${index + 1}` }]),
    ),
    assignments: fromEntries(
      [...facts.assignments].map(([assignment, { experienceId, targetType, targetValue, ...times }], index) => [
        `assignment-${index + 1}`,
        {
          ...{ id: id(assignment), experience: experiences.get(experienceId)!, targetType, target: assigned(targetValue, targetType)! },
          ...getTimes(times),
        },
      ]),
    ),
    connections: fromEntries(
      [...facts.connections].map(([connection, { accountId, experienceId, state, ...times }], index) => [
        `connection-${index + 1}`,
        {
          ...{ id: id(connection), account: accounts.get(accountId)!, experience: experiences.get(experienceId)! },
          ...(state && { state }),
          ...getTimes(times),
        },
      ]),
    ),
    tokens: fromEntries(
      tokens.map(({ scopes }, index) => {
        const principal = { client: `client-${index + 1}`, principal: `principal-${index + 1}` };
        const given = DEFAULT_SCOPES.filter((scope) => scopes.get(scope) !== false);
        return [`token-${index + 1}`, { ...principal, ...(given.length < DEFAULT_SCOPES.length && { scopes: given }) }];
      }),
    ),
  };
}

/** Access tokens are short-lived, so one token of the world stands for all tokens whose access does not contradict each other. */
function mergeAccess(all: Iterable<LearnedAccess>): LearnedAccess[] {
  const merged: LearnedAccess[] = [];
  for (const each of all) {
    if (merged.some((other) => other.merge(each))) continue;
    const own = new LearnedAccess();
    own.merge(each);
    merged.push(own);
  }
  return merged;
}

/** The service may send anything instead of a date-time. */
type Times = { readonly createdAt?: unknown; readonly updatedAt?: unknown };

/**
 * A world file's instants have milliseconds. An instant that differs from an earlier one only in microseconds is moved to the next
 * millisecond, so that lists keep their order.
 * @returns the instants of the world file, by those of the service
 */
function moveInstants(entities: readonly Times[]): ReadonlyMap<unknown, string> {
  const texts = new Set(entities.flatMap(({ createdAt, updatedAt }) => [String(createdAt), String(updatedAt)]));
  const sorted = [...texts].filter((text) => !Number.isNaN(toMilliseconds(text))).sort(compareInstants);
  let ms = Number.NEGATIVE_INFINITY;
  return new Map(
    sorted.map((text, index) => {
      if (index === 0 || compareInstants(sorted[index - 1]!, text) !== 0) ms = Math.max(toMilliseconds(text), ms + 1);
      return [text, new Date(ms).toISOString()];
    }),
  );
}
