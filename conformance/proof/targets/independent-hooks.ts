import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { HookName } from '../../target/hooks.ts';
import { createAccount, createExperience, createNumber, deleteAccount, deleteNumber } from './independent/accounts.ts';
import { createAssignment, deleteAssignment, findOwner } from './independent/assignments.ts';
import { createConnection, deleteConnection, setConnectionState } from './independent/connections.ts';
import { subscribe } from './independent/events.ts';
import { findItem, type Service } from './independent/service.ts';
import { createUser, deleteUser, updateUser } from './independent/users.ts';
import type { Hook } from './serve-hooks.ts';

/** What the operator and the users of the portal can do. A hook throws the API's `Problem` if a rule forbids the action. */
export function createHooks(service: Service, port: number, expiredToken: () => string) {
  const findUser = (id: string) => findItem(service.users, id);
  const addUser: Hook = (user) => ({ userId: createUser(service, user).id });
  const removeUser: Hook = ({ userId }) => deleteUser(service, findUser(userId));
  const addNumber: Hook = ({ accountId }) => ({ telephoneNumber: createNumber(service, accountId) });
  const removeNumber: Hook = ({ telephoneNumber }) => deleteNumber(service, telephoneNumber);
  return {
    'fault.users': ({ operation, status }) => failOnce(service, port, operation, status === 429 ? 'usersLimited' : 'usersStoreFails'),
    'fault.authorization': ({ operation }) => failOnce(service, port, operation, 'authorizationUnreachable'),
    'token.expired': () => ({ accessToken: expiredToken() }),
    numbers: addNumber,
    'numbers.release': removeNumber,
    users: addUser,
    'users.release': removeUser,
    'experiences.unconnected'() {
      const { id, name, providerId } = createExperience(service, 'GENERAL');
      return { experienceId: id, name, providerId };
    },
    'subscriptions.create': ({ experienceId, ...subscription }) => ({
      subscriptionId: subscribe(service, { ...subscription, experienceId: experienceId?.toLowerCase() }),
    }),
    'subscriptions.remove': ({ subscriptionId }) => service.subscriptions.delete(subscriptionId),
    ...createEntityHooks('portal', service),
    'portal.users.create': addUser,
    'portal.users.remove': removeUser,
    ...createEntityHooks('platform', service),
    // A hook may write an id in another letter case than the API.
    'platform.users.create': (user) => ({ userId: createUser(service, user).id.toUpperCase() }),
    'platform.users.rename': ({ userId, ...names }) => updateUser(service, findUser(userId), names),
    'platform.users.remove': removeUser,
    'platform.accounts.create': () => ({ accountId: createAccount(service) }),
    'platform.accounts.remove': ({ accountId }) => deleteAccount(service, accountId),
    'platform.numbers.create': addNumber,
    'platform.numbers.remove': removeNumber,
  } satisfies Partial<Record<HookName, Hook>>;
}

/** Changes in the portal and in the platform have the same effects. */
function createEntityHooks(origin: 'portal' | 'platform', service: Service): Readonly<Record<string, Hook>> {
  const { accounts, experiences, connections, assignments } = service;
  return {
    [`${origin}.connections.create`]: ({ accountId, experienceId }) => ({
      connectionId: createConnection(service, findItem(accounts, accountId).id, findItem(experiences, experienceId).id).id,
    }),
    [`${origin}.connections.update`]: ({ connectionId, state }) => setConnectionState(service, findItem(connections, connectionId), state),
    [`${origin}.connections.remove`]: ({ connectionId }) => deleteConnection(service, findItem(connections, connectionId)),
    [`${origin}.assignments.create`]({ experienceId, targetType, targetValue }) {
      const owner = findOwner(service, targetType, targetValue);
      if (owner === undefined) throw new Error(`There is no ${targetType} ${targetValue}.`);
      return { assignmentId: createAssignment(service, findItem(experiences, experienceId), targetType, targetValue, owner).id };
    },
    [`${origin}.assignments.remove`]: ({ assignmentId }) => deleteAssignment(service, findItem(assignments, assignmentId)),
  };
}

/** Turns a fault on until the server has responded to the next request for the operation. @param port the server's port */
function failOnce({ faults }: Service, port: number, operation: unknown, fault: keyof Service['faults']): void {
  const finished = channel('http.server.response.finish');
  const onFinish = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.socket.localPort !== port || !request.url?.includes(operation === 'getUser' ? '/users/' : '/users?')) return;
    finished.unsubscribe(onFinish);
    faults[fault] = false;
  };
  finished.subscribe(onFinish);
  faults[fault] = true;
}
