import type { PathForm } from '../contract/generated/operations.ts';
import { UNKNOWN_TARGETS, UNKNOWN_UUID } from '../refusals/hostile-values.ts';
import { HOSTILE_CURSORS, HOSTILE_NATIVE_IDS } from '../refusals/opaque-values.ts';
import { createChangeProbe } from './change-probes.ts';
import { pickFrom } from './choose-looks.ts';
import type { Decks } from './decks.ts';
import { drawInvalidValue } from './invalid-values.ts';
import type { Look } from './looks.ts';
import type { Probe, TokenName } from './side.ts';
import type { World } from './world.ts';

type Query = Readonly<Record<string, string | number>>;
type Pick = <Item>(items: readonly Item[]) => Item;

const ODD_TOKENS: readonly TokenName[] = ['nobody', 'invalid', 'no scope', 'no claim', 'expired'];
/** How often each kind of probe is sent. */
const KINDS = { token: 3, list: 16, assignability: 2, 'native id': 1, change: 12, failure: 1 };
const FAULTS = { outsider: 1, omission: 3, value: 8 };
const FAULTS_OF_LISTS = {
  getExperienceConnections: { ...FAULTS, near: 1 },
  getExperienceAssignments: { ...FAULTS, combination: 1, near: 1 },
  getUsers: { ...FAULTS, omission: 2, cursor: 1, 'cursor of another list': 3, sort: 4 },
};
const LISTS = Object.keys(FAULTS_OF_LISTS) as (keyof typeof FAULTS_OF_LISTS)[];

/** @param all the looks at the world @returns undefined if the world has nothing to ask about */
export function createProbe(world: World, all: readonly Look[], forms: readonly PathForm[], decks: Decks): Probe | undefined {
  const { random } = decks;
  const { sort } = world.cast;
  const pick: Pick = (items) => pickFrom(items, random);
  const form = pick(forms);
  const chance = (probability: number) => random() < probability;
  // Also lists of new accounts, which may be empty.
  const looks = all.filter(({ isHidden, request: { query } }) => !isHidden || world.accounts.includes(String(query?.accountId)));
  // Of the assignability checks, a credential has 100 per second.
  const reads = looks.filter(({ operation }) => operation !== 'getExperienceAssignability' || chance(0.05));
  const kind = decks.drawWeighted('kinds of probes', KINDS);
  if (kind === 'token') {
    const as = decks.draw(
      'odd tokens',
      ODD_TOKENS.filter((name) => world.cast.oddTokens.has(name)),
    );
    // The principal claim is needed for the users only.
    const suitable = as === 'no claim' ? reads.filter(({ operation }) => operation.startsWith('getUser')) : reads;
    // Without a valid token, nobody learns what was deleted either.
    const ofGone = suitable.filter(({ of = '' }) => world.gone.has(of));
    return probeToken(pick(ofGone.length > 0 && chance(0.3) ? ofGone : suitable), as);
  }
  if (kind === 'list') return probeList(decks.draw('lists', LISTS));
  if (kind === 'assignability') return probeAssignability();
  if (kind === 'native id') {
    const path = { userId: decks.drawValue('native ids', HOSTILE_NATIVE_IDS) };
    return { operation: 'getUser', request: { path, as: 'manager', form } };
  }
  if (kind === 'change') return createChangeProbe({ world, form, pick, chance, decks });
  return world.cast.canFailAuthorization ? probeFailure(pick(reads.filter(({ operation }) => /^getUsers?$/.test(operation)))) : undefined;

  function probeToken(look: Look | undefined, as: TokenName | undefined): Probe | undefined {
    return look && as && { operation: look.operation, request: { ...look.request, as, form } };
  }

  function probeList(operation: (typeof LISTS)[number]): Probe | undefined {
    const fault = decks.drawWeighted(`faults of ${operation}`, FAULTS_OF_LISTS[operation]);
    const isUsers = operation === 'getUsers';
    // Often the lists with one parameter, because they have the most pages.
    const isSimple = chance(0.5);
    const known = looks.flatMap(({ operation: each, request: { query = {} } }) => (each === operation ? [query as Query] : []));
    // Which order a list has by default is open, so that no look compares lists with one of the two parameters.
    const ordered = isUsers ? world.accounts.flatMap((accountId) => sort.orders.map((sortOrder) => ({ accountId, sortOrder }))) : [];
    const lists = [...known, ...ordered];
    const choose = (isSuitable: (query: Query) => boolean = () => true): Query | undefined => {
      const suitable = lists.filter(isSuitable);
      const simple = suitable.filter((query) => Object.keys(query).length === 1);
      if (isSimple && simple.length > 0) return pick(simple);
      // Each combination of parameters as often as the others.
      const byNames = [...Map.groupBy(suitable, (query) => Object.keys(query).join()).values()];
      return byNames.length === 0 ? undefined : pick(pick(byNames));
    };
    const ask = (query: Query, cursorOf?: Query, as: TokenName = 'manager'): Probe => ({
      operation,
      request: { query, as, form },
      cursorOf: cursorOf && { ...cursorOf, pageSize: 1 },
    });
    const askWithCursor = (changed: Query, query: Query) => ask(changed, chance(0.4) ? query : undefined);

    if (fault === 'value') {
      const parameter = decks.draw(`parameters of ${operation}`, PARAMETERS[operation]);
      const query = choose((each) => parameter === 'pageSize' || parameter in each);
      if (query === undefined) return undefined;
      // A server may take an empty parameter for an absent one, which this list needs.
      const isEmpty = parameter === 'accountId' && !('tn' in query || 'telephoneNumber' in query) && chance(0.1);
      const value = isEmpty ? '' : drawInvalidValue(decks, parameter, query, isUsers ? 200 : 100);
      return askWithCursor({ ...query, [parameter]: value }, query);
    }
    if (fault === 'near') {
      const names = ['telephoneNumber', 'tn', 'targetValue'];
      const findNumber = (query: Query) => names.find((name) => /^«number[^»]*»$/.test(String(query[name])));
      const query = choose((each) => findNumber(each) !== undefined && each.accountId === undefined);
      const name = query && findNumber(query);
      return query && name !== undefined ? ask({ ...query, [name]: `${query[name]}⌫` }) : undefined;
    }
    const query = choose((each) => fault !== 'combination' || each.targetValue !== undefined);
    if (query === undefined) return undefined;
    if (fault === 'outsider') return world.cast.tokens.includes('outsider') ? ask(query, query, 'outsider') : undefined;
    if (fault === 'combination') return askWithCursor({ ...query, experienceId: pick(world.experiences) }, query);
    if (fault === 'cursor') return ask({ ...query, cursor: decks.drawValue('cursors', HOSTILE_CURSORS) });
    if (fault === 'cursor of another list') {
      // Which order a list without sortBy or sortOrder has is open, so both lists have the same parameters.
      const names = Object.keys(query).join();
      const isOther = (own: Query) => Object.keys(own).join() === names && JSON.stringify(own) !== JSON.stringify(query);
      const other = pick(lists.filter(isOther));
      return other && ask(other, query);
    }
    if (fault === 'sort') {
      const name = decks.draw('members of the order', ['sortBy', 'sortOrder'] as const);
      const { [name]: _, ...rest } = query;
      const value = drawInvalidValue(decks, name, query);
      return askWithCursor({ ...(chance(0.5) ? rest : { accountId: query.accountId! }), [name]: value }, query);
    }
    // Leave out a parameter. The model knows whether it is required.
    // The defaults of sortBy and sortOrder are open, so a cursor may be valid without them.
    const omitted = isUsers ? 'accountId' : pick(Object.keys(query));
    return askWithCursor(Object.fromEntries(Object.entries(query).filter(([name]) => name !== omitted)), query);
  }

  function probeAssignability(): Probe | undefined {
    const type = decks.draw('types of assignability checks', TYPES);
    const known = pick(world.targets.filter((each) => each.type === type));
    if (known === undefined) return undefined;
    const { readOnlyExperience, hiddenExperience, tokens } = world.cast;
    if (chance(0.3)) {
      const as = decks.draw('who checks an unknown Experience', tokens);
      const query = { targetType: type, targetValue: known.name };
      return { operation: 'getExperienceAssignability', request: { path: { experienceId: UNKNOWN_UUID }, query, as, form } };
    }
    const closed = [readOnlyExperience, hiddenExperience].filter((each) => each !== undefined);
    const experienceId = pick(chance(0.5) && closed.length > 0 ? closed : world.experiences);
    const valid = { targetType: type, targetValue: known.name };
    const member = pick(['targetType', 'targetValue'] as const);
    const { [member]: _, ...rest } = valid;
    const value = chance(0.8) ? { [member]: drawInvalidValue(decks, member, valid) } : {};
    // Who may not check assignability learns nothing about the target.
    const target = chance(0.4) ? { ...valid, targetValue: UNKNOWN_TARGETS[type] } : valid;
    const query = closed.includes(experienceId) ? target : { ...rest, ...value };
    return { operation: 'getExperienceAssignability', request: { path: { experienceId }, query, as: 'manager', form } };
  }

  function probeFailure({ operation, request }: Look): Probe {
    const cursorOf = request.query && chance(0.5) ? { ...request.query, pageSize: 1 } : undefined;
    return { operation, request: { ...request, as: 'manager', form }, cursorOf, withoutAuthorization: true };
  }
}

const TYPES = ['PHONE_NUMBER', 'USER', 'ACCOUNT'] as const;
const PARAMETERS: Readonly<Record<(typeof LISTS)[number], readonly string[]>> = {
  getExperienceConnections: ['accountId', 'experienceId', 'telephoneNumber', 'tn', 'pageSize'],
  getExperienceAssignments: ['accountId', 'experienceId', 'targetType', 'targetValue', 'targetValue', 'pageSize'],
  getUsers: ['accountId', 'pageSize', 'pageSize'],
};
