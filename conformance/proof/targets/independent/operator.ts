import { createPublicKey, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createAssignment, deleteAssignment, deleteAssignmentsOf, findOwner } from './assignments.ts';
import { createConnection, deleteConnection, dropConnection, setConnectionState } from './connections.ts';
import { issueToken } from './oauth.ts';
import type { ConnectionState, Permission, Service, TargetType, User } from './service.ts';
import { createUser, deleteUser, updateUser } from './users.ts';

interface NewUser {
  accountId: string;
  firstName?: string;
  lastName?: string;
  /** Default: a Base62 id and a legacy numeric id. */
  nativeIds?: string[];
}

export type Operator = ReturnType<typeof createOperator>;

/** The operator's and the portal's actions. They throw the API's `Problem` if a rule forbids an action. */
export function createOperator(service: Service) {
  const { accounts, numbers, users, experiences, connections, assignments } = service;

  function deleteNumber(number: string): void {
    numbers.delete(get(numbers, number).number);
    deleteAssignmentsOf(service, 'PHONE_NUMBER', number);
  }

  return {
    faults: service.faults,
    createAccount() {
      const id = randomUUID();
      accounts.set(id, { id, name: `Account ${id.slice(0, 4)}` });
      return id;
    },
    deleteAccount(id: string): void {
      const isOwned = ({ accountId }: { accountId: string }) => accountId === id;
      for (const user of [...users.values()].filter(isOwned)) deleteUser(service, user);
      for (const { number } of [...numbers.values()].filter(isOwned)) deleteNumber(number);
      deleteAssignmentsOf(service, 'ACCOUNT', id);
      for (const connection of [...connections.values()].filter(isOwned)) dropConnection(service, connection);
      accounts.delete(get(accounts, id).id);
    },
    createNumber({ accountId }: { accountId: string }): string {
      const number = `+4670${randomInt(1e8, 1e9)}`;
      numbers.set(number, { number, accountId });
      return number;
    },
    deleteNumber,
    createUser({ nativeIds = [`u${randomBytes(9).toString('hex')}Z`, String(randomInt(1e9, 1e10))], ...given }: NewUser): string {
      return createUser(service, { ...given, nativeIds }).id;
    },
    updateUser: (id: string, change: Pick<User, 'firstName' | 'lastName'>) => updateUser(service, get(users, id), change),
    deleteUser: (id: string) => deleteUser(service, get(users, id)),
    createExperience(type: 'AGENT' | 'GENERAL', providerId = 'pr/1') {
      const id = randomUUID();
      const experience = { id, name: `Experience ${id.slice(0, 4)}`, type, providerId };
      experiences.set(id, experience);
      return experience;
    },
    createPrincipal(permission: Permission): string {
      const id = `p-${randomUUID()}`;
      service.principals.set(id, { id, default: permission, experience: new Map(), account: new Map() });
      return id;
    },
    setPermission(principalId: string, entityType: 'experience' | 'account', id: string, permission: Permission): void {
      get(service.principals, principalId)[entityType].set(id, permission);
    },
    /** @param publicKey PEM; if given, the client must use assertions instead of a secret */
    createClient({ publicKey, ...given }: { principalId: string; redirectUris: string[]; publicKey?: string }) {
      const id = `client-${randomBytes(5).toString('hex')}`;
      const secret = randomBytes(18).toString('base64url');
      service.clients.set(id, { id, ...given, ...(publicKey === undefined ? { secret } : { publicKey: createPublicKey(publicKey) }) });
      return { id, secret };
    },
    /** @param given `expiresIn` is in seconds, and negative for an expired token */
    mintToken(given: { principalId: string; scopes: string[]; clientId?: string; principalClaim?: boolean; expiresIn: number }): string {
      const { principalId, clientId = `client of ${principalId}`, principalClaim = true, expiresIn } = given;
      return issueToken(service, { principalId, clientId, scopes: new Set(given.scopes), principalClaim }, expiresIn);
    },
    createConnectionInPortal(accountId: string, experienceId: string): string {
      return createConnection(service, get(accounts, accountId).id, get(experiences, experienceId).id).id;
    },
    setConnectionStateInPortal: (id: string, state: ConnectionState) => setConnectionState(service, get(connections, id), state),
    deleteConnectionInPortal: (id: string) => deleteConnection(service, get(connections, id)),
    createAssignmentInPortal(given: { experienceId: string; targetType: TargetType; targetValue: string }): string {
      const { experienceId, targetType, targetValue } = given;
      const accountId = findOwner(service, targetType, targetValue);
      if (accountId === undefined) throw new Error(`There is no ${targetType} ${targetValue}.`);
      return createAssignment(service, get(experiences, experienceId), targetType, targetValue, accountId).id;
    },
    deleteAssignmentInPortal: (id: string) => deleteAssignment(service, get(assignments, id)),
    /** Subscribes an endpoint to event types. Without `experienceId`, for every Experience. */
    subscribe(given: { destinationUrl: string; experienceId?: string; types: string[] }): { subscriptionId: string } {
      if (!/^https?:$/.test(new URL(given.destinationUrl).protocol)) throw new Error('destinationUrl must be an HTTPS or HTTP address');
      const id = `sub_${randomBytes(6).toString('hex')}`;
      service.subscriptions.set(id, { id, ...given, acknowledged: 0 });
      return { subscriptionId: id };
    },
    /** Ends a subscription, and cancels its pending attempts. */
    unsubscribe: (subscriptionId: string) => void service.subscriptions.delete(subscriptionId),
  };
}

/** @throws Error if there is no such item */
function get<Item>(items: ReadonlyMap<string, Item>, id: string): Item {
  const item = items.get(id);
  if (item === undefined) throw new Error(`There is no ${id}.`);
  return item;
}
