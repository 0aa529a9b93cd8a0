import { randomBytes, randomInt } from 'node:crypto';
import type { Decisions } from '../../contract/generated/decisions.ts';
import type { EventType } from '../../contract/generated/events.ts';
import { callOperation } from '../../control-client/call.ts';
import { type ControlClient, getResponseData } from '../../control-client/client.ts';
import { RefusedError } from '../../control-client/errors.ts';
import type { Account, Actors } from './actors.ts';
import { ScenarioEnd } from './result.ts';

/** The control API's collections whose entities have events. */
export type EntityKind = 'connections' | 'assignments' | 'users';

export interface Entity {
  readonly kind: EntityKind;
  readonly id: string;
  readonly account: Account;
  /** The alias of the Experience, for a connection or an assignment. */
  readonly experience: string;
  /** An assignment's telephone number, or the alias of the user or account. */
  readonly target?: string;
}

export function getEntityKind(eventType: EventType): EntityKind {
  if (eventType.startsWith('provisioning.')) return 'users';
  return eventType.startsWith('experience.connection.') ? 'connections' : 'assignments';
}

/** What an assignment is for. The default is a telephone number of the United States. */
export type AssignmentTarget = 'USER' | 'ACCOUNT' | 'FOREIGN_NUMBER';

/** The beginnings of telephone numbers, and how many digits are missing. Some numbers are short. */
const NUMBERING_PLANS = [
  ['+1212555', 4],
  ['+44207946', 4],
  ['+2902', 4],
  ['+49302312', 5],
  ['+3319900', 4],
] as const;

export const DELETION_TYPES = {
  connections: 'experience.connection.deleted',
  assignments: 'experience.assignment.deleted',
  users: 'provisioning.user.deleted',
} as const satisfies Record<EntityKind, EventType>;

export class CheckEntities {
  /** The ids of all created users, including deleted users. */
  readonly createdUsers = new Set<string>();
  /** The `performance.now()` values of the latest changes. */
  readonly changedAt = new Map<EntityKind, number>();
  /** The ids of the check's Experiences, by alias. */
  readonly experiences = new Map<string, string>();
  readonly #control: ControlClient;
  readonly #actors: Actors;
  readonly #decisions: Partial<Decisions>;
  readonly #suffix = randomBytes(3).toString('hex');
  /** The entities to delete at the end, by id. */
  readonly #live = new Map<string, Entity>();
  readonly #numbers: string[] = [];

  constructor(control: ControlClient, actors: Actors, decisions: Partial<Decisions>) {
    this.#control = control;
    this.#actors = actors;
    this.#decisions = decisions;
  }

  async create(kind: EntityKind, account: Account, targetType?: AssignmentTarget): Promise<Entity> {
    if (kind === 'connections') return this.#createConnection(account, await this.#findFreeExperience(account));
    if (kind === 'assignments') return this.#assign(account, targetType);
    const user = await this.#createEntity({ kind, account, experience: await this.#getExperience(0) }, { account: account.alias });
    this.createdUsers.add(user.id);
    return user;
  }

  async createConnectionAndAssignment(account: Account): Promise<readonly [connection: Entity, assignment: Entity]> {
    const experience = await this.#getExperience(0);
    const connection = await this.#createConnection(account, experience);
    return [connection, await this.#createAssignment(account, experience, 'ACCOUNT', account.alias)];
  }

  async changeEntity(type: EventType, entity: Entity): Promise<void> {
    const { kind: collection, id } = entity;
    if (type.endsWith('.deleted')) {
      await callOperation(this.#control, 'deleteEntity', { collection, id });
      this.#live.delete(id);
    } else {
      const state = type.endsWith('.activated') ? 'ACTIVE' : 'INACTIVE';
      await callOperation(this.#control, 'patchEntity', { collection, id, body: { state } });
    }
    this.changedAt.set(collection, performance.now());
  }

  /** Deletes the remaining entities, and then the Experiences. */
  async deleteAll(): Promise<void> {
    // Assignments are deleted before connections, because the deletion of a connection may also delete assignments.
    for (const entity of [...this.#live.values()].reverse())
      await this.changeEntity(DELETION_TYPES[entity.kind], entity).catch((error: unknown) => {
        if (!(error instanceof RefusedError && error.type === '/problems/control.not-found')) throw error;
      });
    for (const id of this.#numbers) await callOperation(this.#control, 'deleteEntity', { collection: 'telephoneNumbers', id });
    for (const id of this.experiences.keys()) await callOperation(this.#control, 'deleteEntity', { collection: 'experiences', id });
  }

  async #assign(account: Account, targetType: AssignmentTarget | undefined): Promise<Entity> {
    if (targetType === undefined || targetType === 'FOREIGN_NUMBER') {
      const number = await this.#createNumber(account, targetType !== undefined);
      return this.#createAssignment(account, await this.#getExperience(0), 'PHONE_NUMBER', number);
    }
    const isForAccount = targetType === 'ACCOUNT';
    const owner = isForAccount ? account : [account, ...this.#actors.accounts].find(({ user }) => user !== undefined);
    if (owner === undefined) throw new ScenarioEnd({ verdict: 'not-testable', reason: 'no account in the world has a user' });
    const experience = await this.#chooseExperience(owner);
    await this.#connectIfNeeded(owner, experience);
    return this.#createAssignment(owner, experience, targetType, isForAccount ? owner.alias : owner.user!);
  }

  /** Chooses the Experience of one of the account's connections, unless the deletion of the connection would delete the assignment. */
  async #chooseExperience(account: Account): Promise<string> {
    // `createConnectionAndAssignment` already assigns the first Experience to accounts.
    const [first, other] = [await this.#getExperience(0), await this.#getExperience(1)];
    if (this.#decisions['connections.delete.other-assignments'] !== 'kept') return other;
    return this.#filterConnections(account).find(({ experience }) => experience !== first)?.experience ?? other;
  }

  #filterConnections = (account: Account) =>
    [...this.#live.values()].filter((entity) => entity.kind === 'connections' && entity.account.id === account.id);

  async #connectIfNeeded(account: Account, experience: string): Promise<void> {
    const isConnected = this.#filterConnections(account).some((entity) => entity.experience === experience);
    if (this.#decisions['assignments.create.needs-connection'] !== 'no' && !isConnected) await this.#createConnection(account, experience);
  }

  async #createConnection(account: Account, experience: string): Promise<Entity> {
    // Scenarios begin with an inactive connection, whatever `connections.create.initial-state` is.
    const body = { account: account.alias, experience, state: 'INACTIVE' };
    return this.#createEntity({ kind: 'connections', account, experience }, body);
  }

  async #createAssignment(account: Account, experience: string, targetType: string, target: string): Promise<Entity> {
    return this.#createEntity({ kind: 'assignments', account, experience, target }, { experience, targetType, target });
  }

  async #createEntity(entity: Omit<Entity, 'id'>, body: Readonly<Record<string, string>>): Promise<Entity> {
    const created = { ...entity, id: await this.#post(entity.kind, body) };
    this.#live.set(created.id, created);
    this.changedAt.set(entity.kind, performance.now());
    return created;
  }

  async #post(collection: EntityKind | 'experiences' | 'telephoneNumbers', body: Readonly<Record<string, string>>): Promise<string> {
    const created = await getResponseData(callOperation(this.#control, 'createEntity', { collection, body }));
    return (created as unknown as { id: string }).id;
  }

  async #getExperience(index: number): Promise<string> {
    while (this.experiences.size <= index) {
      const number = this.experiences.size + 1;
      const alias = `webhook-check-${this.#suffix}-${number}`;
      const { provider } = this.#actors;
      this.experiences.set(alias, await this.#post('experiences', { alias, provider, name: `Webhook check ${number}`, type: 'GENERAL' }));
    }
    return [...this.experiences.keys()][index]!;
  }

  async #findFreeExperience(account: Account): Promise<string> {
    const connections = this.#filterConnections(account);
    for (let index = 2; ; index++) {
      const alias = await this.#getExperience(index);
      if (!connections.some(({ experience }) => experience === alias)) return alias;
    }
  }

  async #createNumber(account: Account, isForeign: boolean): Promise<string> {
    const [prefix, digits] = NUMBERING_PLANS[isForeign ? 1 + (this.#numbers.length % (NUMBERING_PLANS.length - 1)) : 0]!;
    const alias = `${prefix}${randomInt(10 ** (digits - 1), 10 ** digits)}`;
    if (this.#numbers.includes(alias)) return this.#createNumber(account, isForeign);
    await this.#post('telephoneNumbers', { alias, account: account.alias });
    this.#numbers.push(alias);
    return alias;
  }
}
