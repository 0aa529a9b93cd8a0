import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, type Json, problem, type Reply, type Request, sending, success } from '../exchange.ts';
import type { Behind, Saboteur, SaboteursOf, Service } from '../saboteur.ts';
import { around, connectionShown, invented, listed, otherThan, touch } from './connections-world.ts';
import { refusedBy, whereRefused } from './refused.ts';

const CREATE = 'createExperienceConnection';

/** Creates what a body asks for, whoever asks. @returns undefined where that cannot be. */
async function createdAnyway({ accountId, experienceId }: Json, { control, ...behind }: Behind): Promise<Json | undefined> {
  const account = await control.find('accounts', String(accountId));
  const experience = await control.find('experiences', String(experienceId));
  if (account === undefined || experience === undefined) return undefined;
  const { id } = await control.create('connections', { account: account.alias, experience: experience.alias });
  return connectionShown(id, { control, ...behind });
}

/** A server that meets the second connection of the same two. @param answer gets the first. */
function second(
  does: string,
  answer: (first: Json, reply: Reply, request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>,
): Saboteur {
  return around(CREATE, does, async (request, service, behind) => {
    const reply = await service(request);
    if (refusedBy(reply) !== 'connections.create.exists') return reply;
    const { accountId, experienceId } = bodyOf(request);
    const [first = {}] = await listed(request, service, { accountId, experienceId });
    return (await answer(first, reply, request, behind)) ?? reply;
  });
}

/** A server that judges one member of the body in its own way where a rule is broken in it, and only in it. */
function inMember(
  member: string,
  rule: string,
  does: string,
  answer: (request: Request, service: Service) => Reply | undefined | Promise<Reply | undefined>,
): Saboteur {
  return around(CREATE, does, async (request, service) => {
    const reply = await service(request);
    const pointers = ((bodyOf(reply).errors ?? []) as Json[]).map(({ pointer }) => pointer);
    if (refusedBy(reply) !== rule || pointers.length !== 1 || pointers[0] !== `/${member}`) return reply;
    return (await answer(request, service)) ?? reply;
  });
}

/** A server that takes a creation with one member missing or wrong. */
const taken = (member: string) => (request: Request) => success(201, invented({ ...bodyOf(request), [member]: invented()[member] }));

const withoutState = (request: Request, service: Service) => service(sending(request, { ...bodyOf(request), state: undefined }));

/** A server that refuses a creation as it should, and creates all the same. */
function andCreates(rule: string, does: string): Saboteur {
  return whereRefused(rule, CREATE, does, async (_reply, request, behind) => {
    await createdAnyway(bodyOf(request), behind);
    return undefined;
  });
}

/** Servers that refuse creations otherwise, or not at all, or change something while they refuse. */
export const connectionsCreateRefusals = {
  'connections.create.refused-changes-nothing': [
    second('Changes the state of a connection that is created once more.', async ({ id, state }, _reply, _request, { control }) => {
      await control.change('connections', id, { state: otherThan(state) });
      return undefined;
    }),
    second('Changes the updatedAt of a connection that is created once more.', async (first, _reply, _request, behind) => {
      await touch(first, behind);
      return undefined;
    }),
    second('Deletes a connection that is created once more.', async ({ id }, _reply, _request, { control }) => {
      await control.remove('connections', id);
      return undefined;
    }),
    second('Puts a new connection in place of one that is created once more.', async ({ id }, _reply, request, behind) => {
      await behind.control.remove('connections', id);
      await createdAnyway(bodyOf(request), behind);
      return undefined;
    }),
    andCreates('connections.create.read-only', 'Creates a connection for a caller that may not, and says 403.'),
    andCreates('auth.missing-scope', 'Creates a connection without the scope, and refuses.'),
    andCreates('connections.create.invalid-value', 'Creates a connection with an invalid value, and says 422.'),
  ],
  'connections.create.malformed': [
    whereRefused('connections.create.malformed', CREATE, 'Answers a creation that cannot be parsed with 422.', () => problem(422)),
    whereRefused('connections.create.malformed', CREATE, 'Answers a creation that cannot be parsed with 500.', () => problem(500)),
    whereRefused('connections.create.malformed', CREATE, 'Takes a creation that cannot be parsed.', () => success(201, invented())),
  ],
  'connections.create.read-only': [
    whereRefused('connections.create.read-only', CREATE, 'Answers a caller that may not create with 404.', () => problem(404)),
    whereRefused('connections.create.read-only', CREATE, 'Answers a caller that may not create with 422.', () => problem(422)),
    whereRefused(
      'connections.create.read-only',
      CREATE,
      'Creates connections for callers that may only read.',
      async (_reply, request, behind) => success(201, await createdAnyway(bodyOf(request), behind)),
    ),
  ],
  'connections.create.exists': [
    second('Answers a second connection of the same two with 422.', () => problem(422)),
    second('Answers a second connection of the same two with the first.', (first) => success(200, first)),
    second('Creates a second connection of the same two.', (first) => success(201, { ...first, id: invented().id })),
    second('Creates a second connection of the same two where the first is INACTIVE.', (first) =>
      first.state === 'INACTIVE' ? success(201, { ...first, id: invented().id }) : undefined,
    ),
    second('Creates a second connection of the same two where the first is ACTIVE.', (first) =>
      first.state === 'ACTIVE' ? success(201, { ...first, id: invented().id }) : undefined,
    ),
  ],
  'connections.create.required-field': [
    whereRefused('connections.create.required-field', CREATE, 'Answers a creation without a required field with 400.', () => problem(400)),
    inMember('accountId', 'connections.create.required-field', 'Creates a connection without an accountId.', taken('accountId')),
    inMember('experienceId', 'connections.create.required-field', 'Creates a connection without an experienceId.', taken('experienceId')),
  ],
  'connections.create.invalid-value': [
    whereRefused('connections.create.invalid-value', CREATE, 'Answers a creation with an invalid value with 400.', () => problem(400)),
    inMember('accountId', 'connections.create.invalid-value', 'Answers an accountId that is not a UUID with 404.', () => problem(404)),
    inMember('accountId', 'connections.create.invalid-value', 'Creates a connection of any accountId.', taken('accountId')),
    inMember('experienceId', 'connections.create.invalid-value', 'Answers an experienceId that is not a UUID with 404.', () =>
      problem(404),
    ),
    inMember('experienceId', 'connections.create.invalid-value', 'Creates a connection to any experienceId.', taken('experienceId')),
    inMember('state', 'connections.create.invalid-value', 'Ignores a state that a connection cannot have.', withoutState),
    inMember('state', 'connections.create.invalid-value', 'Answers a state that a connection cannot have with 400.', () => problem(400)),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
