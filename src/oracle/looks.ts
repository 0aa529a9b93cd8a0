import type { OperationId, PathForm } from '../contract/generated/operations.ts';
import { UNKNOWN_NUMBER } from '../refusals/hostile-values.ts';
import type { Request, TokenName } from './side.ts';
import type { Target, World } from './world.ts';

/** A request that reads something, the same at both sides. A list is traversed to its end. */
export interface Look {
  readonly operation: OperationId;
  readonly request: Omit<Request, 'as' | 'form'>;
  /** The name of the entity that the request reads. Absent: a list or an assignability check. */
  readonly of?: string;
  readonly isList: boolean;
  /** Whether the manager may not see what the request is about, or whether it is open who else sees it. */
  readonly isHidden?: boolean;
}

/** Every question that the API answers about the entities of the world, those that are gone included. */
export function listLooks(world: World): Look[] {
  const { cast } = world;
  const gone = (kind: string) => [...world.gone].flatMap(([name, each]) => (each === kind ? [name] : []));
  const read = (operation: OperationId, parameter: string, of: string, id = of): Look => ({
    operation,
    request: { path: { [parameter]: id } },
    of,
    isList: false,
    isHidden: world.isOfNewAccount(of),
  });
  const list = (operation: OperationId, query: Readonly<Record<string, string>>): Look => ({ operation, request: { query }, isList: true });

  const users = world.targets.filter(({ type }) => type === 'USER');
  const numbers = world.targets.filter(({ type }) => type === 'PHONE_NUMBER');
  const accounts = [
    ...world.accounts.map((accountId) => ({ accountId, isHidden: !cast.accounts.includes(accountId) })),
    ...[cast.hiddenAccount, ...gone('account')].flatMap((accountId) => (accountId === undefined ? [] : { accountId, isHidden: true })),
  ];
  const otherNumbers = (account: string) => numbers.flatMap((each) => (each.account === account ? [] : each.name)).slice(0, 1);
  const listFilters = (account: string) =>
    [...world.connections.values()].flatMap((each) => (each.account === account ? { experienceId: each.experience } : []));
  const latest = [...world.gone].findLast(([, kind]) => kind === 'user' || kind === 'number' || kind === 'account')?.[0];
  return [
    ...[...world.connections.keys(), ...gone('connection')].map((name) => read('getExperienceConnection', 'experienceConnectionId', name)),
    ...[...world.assignments.keys(), ...gone('assignment')].map((name) => read('getExperienceAssignment', 'assignmentId', name)),
    ...users.flatMap(({ name, nativeIds = [] }) => [name, ...nativeIds].map((id) => read('getUser', 'userId', name, id))),
    ...gone('user').map((name) => read('getUser', 'userId', name)),
    ...(['user', 'number', 'account'] as const).flatMap((kind) =>
      gone(kind).flatMap((name) => {
        const target = { targetType: TYPES_OF[kind], targetValue: name };
        const [experienceId] = world.experiences;
        return [
          { ...list('getExperienceAssignments', target), isHidden: true },
          ...(kind === 'number'
            ? [{}, ...numbers.slice(0, 1).map(({ name: tn }) => ({ tn }))].map((alias) => ({
                ...list('getExperienceConnections', { telephoneNumber: name, ...alias }),
                isHidden: true,
              }))
            : []),
          ...(experienceId === undefined
            ? []
            : [
                {
                  operation: 'getExperienceAssignability' as const,
                  request: { path: { experienceId }, query: target },
                  isList: false,
                  // What was deleted last is checked after each step.
                  ...(name === latest && { of: name }),
                },
              ]),
        ];
      }),
    ),
    ...(cast.hiddenUser === undefined ? [] : [{ ...read('getUser', 'userId', cast.hiddenUser), isHidden: true }]),
    ...accounts.flatMap(({ accountId, isHidden }) =>
      [
        ...[{}, ...world.experiences.map((experienceId) => ({ experienceId }))].flatMap((filter) => [
          list('getExperienceConnections', { accountId, ...filter }),
          ...[{}, ...TYPES.map((targetType) => ({ targetType }))].map((more) =>
            list('getExperienceAssignments', { accountId, ...filter, ...more }),
          ),
        ]),
        ...[...otherNumbers(accountId), MALFORMED_NUMBER].flatMap((number) =>
          ['telephoneNumber', 'tn'].flatMap((name) =>
            [{}, ...listFilters(accountId).slice(0, 1)].map((filter) =>
              list('getExperienceConnections', { accountId, [name]: number, ...filter }),
            ),
          ),
        ),
        ...[{}, ...cast.sort.fields.flatMap((sortBy) => cast.sort.orders.map((sortOrder) => ({ sortBy, sortOrder })))].map((sort) =>
          list('getUsers', { accountId, ...sort }),
        ),
      ].map((look) => ({ ...look, isHidden })),
    ),
    ...numbers.flatMap(({ name: number, account }) =>
      [{ telephoneNumber: number }, { tn: number }, ...otherNumbers(account).map((tn) => ({ telephoneNumber: number, tn }))].flatMap(
        (selector) =>
          [{}, ...listFilters(account)].map((filter) => ({
            ...list('getExperienceConnections', { ...selector, ...filter }),
            isHidden: world.isOfNewAccount(number),
          })),
      ),
    ),
    ...world.targets.map(({ type, name }) => ({
      ...list('getExperienceAssignments', { targetType: type, targetValue: name }),
      isHidden: world.isOfNewAccount(name),
    })),
    ...world.experiences.flatMap((experienceId) =>
      world.targets.map(({ type, name }) => ({
        operation: 'getExperienceAssignability' as const,
        request: { path: { experienceId }, query: { targetType: type, targetValue: name } },
        isList: false,
      })),
    ),
  ];
}

/** Ignored beside accountId. It has its plus sign, because a server may accept numbers without one. */
const MALFORMED_NUMBER = `${UNKNOWN_NUMBER}x5`;
export const TYPES_OF = { user: 'USER', number: 'PHONE_NUMBER', account: 'ACCOUNT' } as const;
const TYPES: readonly Target['type'][] = ['ACCOUNT', 'PHONE_NUMBER', 'USER'];

/** The ways in which each look is taken: as each principal, under each path form, and lists with several page sizes. */
export function listWays({ isList, operation, isHidden }: Look, tokens: readonly TokenName[], forms: readonly PathForm[]): readonly Way[] {
  const sizes = isList ? [undefined, 1, 2] : [undefined];
  // What others than the manager see of hidden entities is open, and so is whether they may check assignability. The manager looks most
  // often, because others may see nothing.
  const others = isHidden || operation === 'getExperienceAssignability' ? [] : tokens.filter((name) => name !== 'manager');
  const principals: readonly TokenName[] = [...new Array<'manager'>(others.length + 1).fill('manager'), ...others];
  return principals.flatMap((as) => forms.flatMap((form) => sizes.map((pageSize) => ({ as, form, pageSize }))));
}

export interface Way {
  readonly as: TokenName;
  readonly form: PathForm;
  readonly pageSize: number | undefined;
}

/** Looks with one shape ask the same about different entities. */
export function getShape({ operation, request: { query = {} } }: Look, { as, form, pageSize }: Way): string {
  return JSON.stringify([operation, Object.keys(query), query.targetType, as, form, pageSize]);
}
