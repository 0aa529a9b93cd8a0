import { createPublicKey, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { deleteAccount, deleteNumber } from './accounts.ts';
import { createAssignment, deleteAssignment, findOwner } from './assignments.ts';
import { createConnection, deleteConnection, setConnectionState } from './connections.ts';
import { issueToken } from './oauth.ts';
import type { Service } from './service.ts';
import type {
  Account,
  Assignment,
  Client,
  Connection,
  ConnectionState,
  Experience,
  Permission,
  Principal,
  Subscription,
  TargetType,
  TelephoneNumber,
  User,
} from './types.ts';
import { createUser, deleteUser, updateUser } from './users.ts';

function requireItem<T>(item: T | undefined): T {
  if (item === undefined) throw new Error('There is no such item.');
  return item;
}

/** The operator's and the portal's actions. They throw the API's `Problem` if a rule forbids an action. */
export class Operator {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  createAccount({ id = randomUUID(), name = `Account ${id.slice(0, 4)}` }: { id?: string; name?: string } = {}): Account {
    this.#service.accounts.set(id, { id, name });
    return { id, name };
  }

  deleteAccount(id: string): void {
    deleteAccount(this.#service, requireItem(this.#service.accounts.get(id)).id);
  }

  createNumber({ accountId, number = `+4670${randomInt(1e8, 1e9)}` }: { accountId: string; number?: string }): TelephoneNumber {
    this.#service.numbers.set(number, { number, accountId });
    return { number, accountId };
  }

  deleteNumber(number: string): void {
    deleteNumber(this.#service, requireItem(this.#service.numbers.get(number)).number);
  }

  /** By default, the user has two native ids: first a Base62 id, then a legacy numeric id. */
  createUser(given: { id?: string; accountId: string; firstName?: string; lastName?: string; nativeIds?: string[] }): User {
    const nativeIds = given.nativeIds ?? [`u${randomBytes(9).toString('hex')}Z`, String(randomInt(1e9, 1e10))];
    return { ...createUser(this.#service, { ...given, nativeIds }) };
  }

  updateUser(id: string, change: { firstName?: string; lastName?: string }): void {
    updateUser(this.#service, requireItem(this.#service.users.get(id)), change);
  }

  deleteUser(id: string): void {
    deleteUser(this.#service, requireItem(this.#service.users.get(id)));
  }

  createExperience(given: Partial<Experience> = {}): Experience {
    const id = given.id ?? randomUUID();
    const experience = { id, name: `Experience ${id.slice(0, 4)}`, type: 'AGENT', providerId: 'pr/1', ...given };
    this.#service.experiences.set(id, experience);
    return { ...experience };
  }

  createPrincipal({ permission = 'none' }: { permission?: Permission } = {}): { id: string } {
    const principal: Principal = { id: `p-${randomUUID()}`, default: permission, experience: new Map(), account: new Map() };
    this.#service.principals.set(principal.id, principal);
    return { id: principal.id };
  }

  setPermission(principalId: string, entityType: 'experience' | 'account', id: string, permission: Permission): void {
    requireItem(this.#service.principals.get(principalId))[entityType].set(id, permission);
  }

  /** If a public key (PEM) is given, the client must use assertions instead of a secret. */
  createClient({ publicKey, ...given }: { principalId: string; redirectUris: string[]; publicKey?: string }): Client {
    const proof = publicKey === undefined ? { secret: randomBytes(18).toString('base64url') } : { publicKey: createPublicKey(publicKey) };
    const client: Client = { id: `client-${randomBytes(5).toString('hex')}`, ...proof, ...given };
    this.#service.clients.set(client.id, client);
    return { ...client };
  }

  /** `expiresIn` is in seconds, and negative for an expired token. */
  mintToken(given: { principalId: string; scopes: string[]; clientId?: string; principalClaim?: boolean; expiresIn?: number }): string {
    const { principalId, clientId = `client of ${principalId}`, principalClaim = true, expiresIn = 900 } = given;
    return issueToken(this.#service, { principalId, clientId, scopes: new Set(given.scopes), principalClaim }, expiresIn);
  }

  createConnectionInPortal(accountId: string, experienceId: string): Connection {
    const account = requireItem(this.#service.accounts.get(accountId));
    return { ...createConnection(this.#service, account.id, requireItem(this.#service.experiences.get(experienceId)).id) };
  }

  setConnectionStateInPortal(id: string, state: ConnectionState): void {
    setConnectionState(this.#service, requireItem(this.#service.connections.get(id)), state, 'portal');
  }

  deleteConnectionInPortal(id: string): void {
    deleteConnection(this.#service, requireItem(this.#service.connections.get(id)));
  }

  createAssignmentInPortal(given: { experienceId: string; targetType: TargetType; targetValue: string }): Assignment {
    const { experienceId, targetType, targetValue } = given;
    const accountId = requireItem(findOwner(this.#service, targetType, targetValue));
    const experience = requireItem(this.#service.experiences.get(experienceId));
    return { ...createAssignment(this.#service, experience, targetType, targetValue, accountId) };
  }

  deleteAssignmentInPortal(id: string): void {
    deleteAssignment(this.#service, requireItem(this.#service.assignments.get(id)));
  }

  /** Subscribes an endpoint to event types. Without `experienceId`, for every Experience. */
  subscribe(given: { destinationUrl: string; experienceId?: string; types: string[] }): { subscriptionId: string } {
    if (!/^https?:$/.test(new URL(given.destinationUrl).protocol)) throw new Error('destinationUrl must be an HTTPS or HTTP address');
    const subscription: Subscription = { id: `sub_${randomBytes(6).toString('hex')}`, ...given, acknowledged: 0 };
    this.#service.subscriptions.set(subscription.id, subscription);
    return { subscriptionId: subscription.id };
  }

  /** Ends a subscription, and cancels its pending attempts. */
  unsubscribe(subscriptionId: string): void {
    this.#service.subscriptions.delete(subscriptionId);
  }

  setAuthorizationReachable(reachable: boolean): void {
    this.#service.faults.authorizationUnreachable = !reachable;
  }

  setUsersStoreFailing(failing: boolean): void {
    this.#service.faults.usersStoreFails = failing;
  }

  setUsersRateLimited(isRateLimited: boolean): void {
    this.#service.faults.usersLimited = isRateLimited;
  }
}
