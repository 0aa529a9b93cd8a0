import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, bodyOf, isSuccess, type Json, problem, type Request, withEntities } from '../exchange.ts';
import { type Behind, insteadOf, misreading, reddening, type Saboteur, type SaboteursOf, type Service, saboteur } from '../saboteur.ts';
import { around, assignmentsListed, listed, listedOfAll, pageOf } from './connections-world.ts';
import { entitiesOf } from './users-world.ts';

const LIST = 'getExperienceConnections';
const E164 = /^\+[1-9]\d{1,14}$/;

type Selector = 'accountId' | 'telephoneNumber' | 'tn';

/** What selects the account in a request that is as it should be. */
function selectorOf({ query }: Request): Selector {
  if (query.accountId !== undefined) return 'accountId';
  return query.telephoneNumber !== undefined ? 'telephoneNumber' : 'tn';
}

/** A server that puts other connections on the pages of what a selector selects. */
function selects(
  selector: Selector,
  does: string,
  change: (connections: Json[], request: Request, service: Service, behind: Behind) => Json[] | Promise<Json[]>,
): Saboteur {
  return around(LIST, does, async (request, service, behind) => {
    const reply = await service(request);
    if (!isSuccess(reply) || selectorOf(request) !== selector) return reply;
    const connections = await change(entitiesOf(reply), request, service, behind);
    return withEntities(reply, () => connections);
  });
}

/** The account that a request selects. */
async function selected({ query }: Request, { control }: Behind): Promise<unknown> {
  if (query.accountId !== undefined) return query.accountId;
  const number = await control.find('telephoneNumbers', query.telephoneNumber ?? query.tn ?? '');
  return number && (await control.find('accounts', String(number.account)))?.id;
}

/** After the connections of a page, those of the other accounts that the caller has a grant for. */
async function andOfOthers(connections: Json[], request: Request, service: Service, behind: Behind): Promise<Json[]> {
  const accountId = await selected(request, behind);
  const others = (await listedOfAll(request, service, behind)).filter((other) => other.accountId !== accountId);
  return [...connections, ...others];
}

/** Of the connections of a page, those to whose Experience the number itself is assigned. */
async function withNumber(connections: Json[], number: string, request: Request, service: Service, behind: Behind): Promise<Json[]> {
  const assignments = await assignmentsListed(request, service, behind, { targetType: 'PHONE_NUMBER', targetValue: number });
  return connections.filter(({ experienceId }) => assignments.some((assignment) => assignment.experienceId === experienceId));
}

/** Servers that mistake a number given for what it stands for. */
function byNumber(name: 'telephoneNumber' | 'tn'): readonly [Saboteur, ...Saboteur[]] {
  return [
    selects(name, `Finds no connections by ${name}.`, () => []),
    selects(name, `Selects by ${name} the connections to whose Experience the number is assigned.`, (connections, request, ...rest) =>
      withNumber(connections, request.query[name] ?? '', request, ...rest),
    ),
    selects(name, `Lists by ${name} the connections of all accounts that the caller may view.`, andOfOthers),
    misreading(`Does not know ${name}.`, LIST, (request) => asking(request, { query: { [name]: undefined } })),
  ];
}

/** Whether the account asked for is that of the number. */
async function owns(number: string, { query }: Request, { control }: Behind): Promise<boolean> {
  const owner = await control.find('telephoneNumbers', number);
  const account = await control.find('accounts', query.accountId ?? '');
  return owner !== undefined && owner.account === account?.alias;
}

/** Servers that do not ignore a number beside accountId. */
function besideAccount(name: 'telephoneNumber' | 'tn'): readonly [Saboteur, ...Saboteur[]] {
  const given = ({ query }: Request) => (query.accountId === undefined ? undefined : query[name]);
  const valid = (request: Request) => E164.test(given(request) ?? '');
  return [
    misreading(`Selects by ${name} where accountId is given, too.`, LIST, (request) =>
      valid(request) ? asking(request, { query: { accountId: undefined } }) : undefined,
    ),
    insteadOf(`Refuses a malformed ${name} beside accountId.`, LIST, (request) =>
      given(request) !== undefined && !valid(request) ? problem(400) : undefined,
    ),
    insteadOf(`Refuses a ${name} beside accountId.`, LIST, (request) => (valid(request) ? problem(400) : undefined)),
    saboteur(`Lists nothing where ${name} is not of the account that is given, too.`, LIST, async (reply, request, behind) =>
      isSuccess(reply) && valid(request) && !(await owns(given(request) ?? '', request, behind)) ? pageOf(request, []) : undefined,
    ),
  ];
}

const bothNumbers = ({ query }: Request) =>
  query.accountId === undefined && E164.test(query.telephoneNumber ?? '') && E164.test(query.tn ?? '');

/** A server that does something else than to look at telephoneNumber alone where both are given. */
function withBoth(does: string, change: (connections: Json[], ofTn: Json[]) => Json[]): Saboteur {
  return around(LIST, does, async (request, service) => {
    const reply = await service(request);
    if (!isSuccess(reply) || !bothNumbers(request)) return reply;
    const ofTn = await listed(request, service, { tn: request.query.tn ?? '' });
    return withEntities(reply, (connections) => change(connections, ofTn));
  });
}

/** Servers that list other connections than were asked for. */
export const connectionsSelection = {
  'connections.list.by-account': [
    selects('accountId', 'Lists the connections of all accounts that the caller may view.', andOfOthers),
    selects(
      'accountId',
      'Lists connections of other accounts as if they were of the one asked for.',
      async (connections, request, service, behind) =>
        (await andOfOthers(connections, request, service, behind)).map((connection) => ({
          ...connection,
          accountId: request.query.accountId,
        })),
    ),
    reddening(
      40,
      'Whatever looks for a connection of no special state in a list looks for one that is INACTIVE.',
      selects('accountId', 'Lists only ACTIVE connections.', (connections) => connections.filter(({ state }) => state === 'ACTIVE')),
    ),
    selects('accountId', 'Lists only INACTIVE connections.', (connections) => connections.filter(({ state }) => state === 'INACTIVE')),
  ],
  'connections.list.by-telephone-number': byNumber('telephoneNumber'),
  'connections.list.by-tn': byNumber('tn'),
  'connections.list.account-wins': [...besideAccount('telephoneNumber'), ...besideAccount('tn')] as unknown as readonly [
    Saboteur,
    ...Saboteur[],
  ],
  'connections.list.telephone-number-wins': [
    misreading('Selects by tn where telephoneNumber is given, too.', LIST, (request) =>
      bothNumbers(request) ? asking(request, { query: { telephoneNumber: undefined } }) : undefined,
    ),
    insteadOf('Refuses tn beside telephoneNumber.', LIST, (request) => (bothNumbers(request) ? problem(400) : undefined)),
    withBoth('Lists nothing where telephoneNumber and tn are of two accounts.', (connections, ofTn) =>
      connections.filter(({ id }) => ofTn.some((other) => other.id === id)),
    ),
    withBoth('Lists the connections of both accounts where telephoneNumber and tn are of two.', (connections, ofTn) => [
      ...connections,
      ...ofTn.filter(({ id }) => !connections.some((other) => other.id === id)),
    ]),
  ],
  'connections.list.by-experience': [
    misreading('Ignores experienceId.', LIST, (request) => asking(request, { query: { experienceId: undefined } })),
    misreading('Ignores experienceId where a number selects.', LIST, (request) =>
      selectorOf(request) === 'accountId' ? undefined : asking(request, { query: { experienceId: undefined } }),
    ),
    saboteur('Finds no connections by experienceId.', LIST, (reply, request) =>
      isSuccess(reply) && request.query.experienceId !== undefined ? pageOf(request, []) : undefined,
    ),
    around(LIST, 'Lists the connections of the Experience in all accounts that the caller may view.', async (request, service, behind) => {
      const reply = await service(request);
      const { experienceId } = request.query;
      if (!isSuccess(reply) || experienceId === undefined) return reply;
      const all = await listedOfAll(request, service, behind);
      return withEntities(reply, () => all.filter((connection) => connection.experienceId === experienceId));
    }),
    around(LIST, 'Lists all connections of an account that is not connected to the Experience.', async (request, service) => {
      const reply = await service(request);
      const { experienceId, cursor } = request.query;
      if (!isSuccess(reply) || experienceId === undefined || cursor !== undefined || entitiesOf(reply).length > 0) return reply;
      return service(asking(request, { query: { experienceId: undefined } }));
    }),
    saboteur('Answers 404 where the account is not connected to the Experience.', LIST, (reply, { query }) =>
      isSuccess(reply) && query.experienceId !== undefined && query.cursor === undefined && bodyOf(reply).entities.length === 0
        ? problem(404)
        : undefined,
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
