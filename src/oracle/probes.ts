import type { OperationId, PathForm } from '../contract/generated/operations.ts';
import { HOSTILE_CURSORS, HOSTILE_NATIVE_IDS } from '../refusals/opaque-values.ts';
import { createChangeProbe } from './change-probes.ts';
import { pickFrom } from './choose-looks.ts';
import { listInvalidValues } from './invalid-values.ts';
import type { Look } from './looks.ts';
import type { Probe, TokenName } from './side.ts';
import type { World } from './world.ts';

type Query = Readonly<Record<string, string | number>>;
type Pick = <Item>(items: readonly Item[]) => Item;

const ODD_TOKENS: readonly TokenName[] = ['nobody', 'invalid', 'no scope', 'no claim', 'expired'];

/** @param all the looks at the world @returns undefined if the world has nothing to ask about */
export function createProbe(world: World, all: readonly Look[], forms: readonly PathForm[], random: () => number): Probe | undefined {
  const pick: Pick = (items) => pickFrom(items, random);
  const form = pick(forms);
  const chance = (probability: number) => random() < probability;
  // Also lists of new accounts, which may be empty.
  const looks = all.filter(({ isHidden, request: { query } }) => !isHidden || world.accounts.includes(String(query?.accountId)));
  const lists = looks.filter(({ isList }) => isList);
  // Of the assignability checks, a credential has 100 per second.
  const reads = looks.filter(({ operation }) => operation !== 'getExperienceAssignability' || chance(0.05));
  const kind = random();
  if (kind < 0.1) return probeToken(pick(reads), pick(ODD_TOKENS.filter((name) => world.cast.oddTokens.has(name))));
  if (kind < 0.5) return probeList(pick(chooseLists(pick(LISTS))));
  if (kind < 0.53) return probeAssignability();
  if (kind < 0.56) return { operation: 'getUser', request: { path: { userId: pick(HOSTILE_NATIVE_IDS).value }, as: 'manager', form } };
  if (kind < 0.97) return createChangeProbe({ world, form, pick, chance });
  return world.cast.canFailAuthorization ? probeFailure(pick(reads.filter(({ operation }) => /^getUsers?$/.test(operation)))) : undefined;

  /** Often the lists with one parameter, because they have the most pages. */
  function chooseLists(wanted: OperationId): Look[] {
    const isSimple = chance(0.5);
    return lists.filter(({ operation, request: { query = {} } }) => operation === wanted && (!isSimple || Object.keys(query).length === 1));
  }

  function probeToken({ operation, request }: Look, as: TokenName | undefined): Probe | undefined {
    // The principal claim is needed for the users only.
    if (as === undefined || (as === 'no claim' && !operation.startsWith('getUser'))) return undefined;
    return { operation, request: { ...request, as, form } };
  }

  function probeList(look: Look | undefined): Probe | undefined {
    if (look === undefined) return undefined;
    const { operation, request } = look;
    const query = request.query ?? {};
    const isUsers = operation === 'getUsers';
    const cursorOf = chance(0.4) ? { ...query, pageSize: 1 } : undefined;
    const withCursor = (changed: Query): Probe => ({ operation, request: { query: changed, as: 'manager', form }, cursorOf });
    if (chance(0.05) && world.cast.tokens.includes('outsider'))
      return { operation, request: { query, as: 'outsider', form }, cursorOf: { ...query, pageSize: 1 } };
    if (query.targetValue !== undefined && chance(0.1)) return withCursor({ ...query, experienceId: pick(world.experiences) });
    if (isUsers && chance(0.3)) {
      if (chance(0.3)) return { operation, request: { query: { ...query, cursor: pick(HOSTILE_CURSORS).value }, as: 'manager', form } };
      // Which order a list without sortBy or sortOrder has is open, so both lists have the same parameters.
      const names = Object.keys(query).join();
      const isOther = ({ operation: each, request: { query: own = {} } }: Look) =>
        each === 'getUsers' && Object.keys(own).join() === names && JSON.stringify(own) !== JSON.stringify(query);
      const other = pick(lists.filter(isOther));
      return (
        other && { operation, request: { query: other.request.query ?? {}, as: 'manager', form }, cursorOf: { ...query, pageSize: 1 } }
      );
    }
    if (chance(0.2)) {
      // Leave out a parameter. The model knows whether it is required.
      const omitted = isUsers ? 'accountId' : pick(Object.keys(query));
      return withCursor(Object.fromEntries(Object.entries(query).filter(([name]) => name !== omitted)));
    }
    if (isUsers && chance(0.3)) {
      const name = pick(['sortBy', 'sortOrder'] as const);
      const { [name]: _, ...rest } = query;
      return withCursor({ ...(chance(0.5) ? rest : { accountId: query.accountId! }), [name]: pick(listInvalidValues(name, query)).value });
    }
    const name = pick([...Object.keys(query), 'pageSize']);
    const { value } = pick(listInvalidValues(name, query, isUsers ? 200 : 100));
    return withCursor({ ...query, [name]: /Id$/.test(name) && chance(0.1) ? '' : value });
  }

  function probeAssignability(): Probe | undefined {
    const { type, name } = pick(world.targets);
    const { readOnlyExperience, hiddenExperience } = world.cast;
    const closed = [readOnlyExperience, hiddenExperience].filter((each) => each !== undefined);
    const experienceId = pick(chance(0.5) && closed.length > 0 ? closed : world.experiences);
    const valid = { targetType: type, targetValue: name };
    const member = pick(Object.keys(valid)) as keyof typeof valid;
    const { [member]: _, ...rest } = valid;
    const value = chance(0.8) ? { [member]: pick(listInvalidValues(member, valid)).value } : {};
    const query = closed.includes(experienceId) ? valid : { ...rest, ...value };
    return { operation: 'getExperienceAssignability', request: { path: { experienceId }, query, as: 'manager', form } };
  }

  function probeFailure({ operation, request }: Look): Probe {
    const cursorOf = request.query && chance(0.5) ? { ...request.query, pageSize: 1 } : undefined;
    return { operation, request: { ...request, as: 'manager', form }, cursorOf, withoutAuthorization: true };
  }
}

const LISTS: readonly OperationId[] = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'];
