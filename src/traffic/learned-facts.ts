import { findEntity, readBody } from '../checks/service/twin/entities.ts';
import { operations } from '../contract/generated/operations.ts';
import type { components } from '../contract/generated/service.ts';
import type { Exchange } from './exchange.ts';
import { LearnedAccess } from './learned-access.ts';

type Schemas = components['schemas'];
type User = Schemas['UnifiedUser'];

export interface LearnedUser extends Partial<Omit<User, 'id' | 'accountId'>> {
  readonly accountId: string;
  readonly nativeIds: readonly string[];
}
type Between = { readonly accountId: string; readonly experienceId: string };
export type LearnedConnection = Between & { readonly state?: 'ACTIVE' | 'INACTIVE'; readonly updatedAt?: string };
export type LearnedAssignment = Between & {
  readonly targetType: Schemas['TargetType'];
  readonly targetValue: string;
  readonly updatedAt?: string;
};

/**
 * What exchanges show of a service: its entities by id, and the access of each token. A later exchange corrects an earlier one, so that the
 * facts are as current as the latest read, whoever else changes the service.
 */
export class LearnedFacts {
  /** The names of the accounts, as far as an answer has shown them. */
  readonly accounts = new Map<string, string | undefined>();
  /** The Experiences, and whether they are of type AGENT. */
  readonly experiences = new Map<string, boolean>();
  /** The accounts of the telephone numbers. */
  readonly numbers = new Map<string, string>();
  readonly users = new Map<string, LearnedUser>();
  readonly connections = new Map<string, LearnedConnection>();
  readonly assignments = new Map<string, LearnedAssignment>();
  /** By access token. */
  readonly access = new Map<string, LearnedAccess>();

  learn(exchange: Exchange): void {
    const { operation, status, token } = exchange;
    if (token === undefined || status === 401) return;
    if (!this.access.has(token)) this.access.set(token, new LearnedAccess());
    const access = this.access.get(token)!;
    const { scope } = operations[operation];
    if (status >= 200 && status < 300) access.scopes.set(scope, true);
    // At the users operations, a 403 means only that the scope is missing (Errors).
    if (status === 403 && operation.startsWith('getUser')) access.scopes.set(scope, false);
    if (status >= 200 && status < 300) this.successes[operation](exchange, access);
    else this.refusals[operation]?.(exchange, access);
  }

  private readonly successes: Readonly<Record<Exchange['operation'], (exchange: Exchange, access: LearnedAccess) => void>> = {
    getUser: ({ path: { userId = '' }, answer }, access) => {
      const id = this.learnUser(answer, access);
      if (id === undefined || userId.toLowerCase() === id) return;
      const user = this.users.get(id)!;
      this.users.set(id, { ...user, nativeIds: [...new Set([...user.nativeIds, userId])] });
    },
    getUsers: ({ query, answer }, access) => {
      const { accountId = '' } = readMembers(query);
      const { entities } = readPage(answer);
      for (const entity of entities) this.learnUser(entity, access);
      // Who may not view an account gets an empty list, as if the account had no users.
      const hasUsers = [...this.users.values()].some((user) => user.accountId === accountId);
      if (entities.length === 0 && hasUsers && query.cursor === undefined) access.recordHidden('accounts', accountId);
    },
    getExperienceConnection: ({ answer }, access) => void this.learnConnection(answer, access),
    createExperienceConnection: ({ body, answer }, access) => {
      // The specification does not show the answer. If it lacks the id, a list will show the connection.
      const { accountId, experienceId, state } = readMembers(readBody(body));
      this.learnConnection({ accountId, experienceId, state, ...findEntity(answer) }, access);
      if (accountId && experienceId) access.recordManaged(accountId, experienceId);
    },
    updateExperienceConnection: ({ path, body, answer }, access) => {
      const id = path.experienceConnectionId!.toLowerCase();
      const known = this.connections.get(id);
      this.learnConnection({ ...known, ...readBody(body), ...findEntity(answer), id }, access);
      if (known) access.recordManaged(known.accountId, known.experienceId);
    },
    deleteExperienceConnection: ({ path }) => void this.connections.delete(path.experienceConnectionId!.toLowerCase()),
    getExperienceConnections: ({ query, answer }, access) => {
      const { accountId, experienceId, ...numbers } = readMembers(query);
      const { entities, isComplete } = readPage(answer, query);
      const ids = entities.map((entity) => this.learnConnection(entity, access));
      const number = accountId === undefined ? (numbers.telephoneNumber ?? numbers.tn) : undefined;
      const owner = this.connections.get(ids[0] ?? '')?.accountId;
      if (number !== undefined && owner !== undefined) this.numbers.set(number, owner);
      const account = accountId ?? this.numbers.get(number ?? '');
      const isOfList = (each: LearnedConnection) => each.accountId === account && (experienceId ?? each.experienceId) === each.experienceId;
      if (isComplete) this.removeMissing(this.connections, ids, isOfList, access);
    },
    getExperienceAssignment: ({ answer }, access) => void this.learnAssignment(answer, access),
    createExperienceAssignment: ({ answer }, access) => {
      const id = this.learnAssignment(answer, access);
      const learned = id === undefined ? undefined : this.assignments.get(id);
      if (learned) access.recordManaged(learned.accountId, learned.experienceId);
    },
    deleteExperienceAssignment: ({ path }) => void this.assignments.delete(path.assignmentId!.toLowerCase()),
    getExperienceAssignments: ({ query, answer }, access) => {
      const { cursor: _, pageSize: __, ...filters } = readMembers(query);
      const { entities, isComplete } = readPage(answer, query);
      const ids = entities.map((entity) => this.learnAssignment(entity, access));
      const isOfList = (each: LearnedAssignment) =>
        Object.entries(filters).every(([name, value]) => each[name as keyof LearnedAssignment] === value);
      if (isComplete) this.removeMissing(this.assignments, ids, isOfList, access);
    },
    getExperienceAssignability: ({ path }, access) => {
      const id = path.experienceId!.toLowerCase();
      this.experiences.set(id, this.experiences.get(id) ?? false);
      access.recordSeen('experiences', id);
    },
  };

  private readonly refusals: Readonly<Partial<Record<Exchange['operation'], (exchange: Exchange, access: LearnedAccess) => void>>> = {
    getUser: ({ path, status }, access) => {
      const id = path.userId!.toLowerCase();
      const known = this.users.get(id);
      if (status !== 404 || known === undefined) return;
      // The user is gone, unless the caller may not view it.
      if (access.sees('accounts', known.accountId)) this.users.delete(id);
      else access.recordHidden('accounts', known.accountId);
    },
    getExperienceConnection: ({ path, status }, access) =>
      this.learnRefusal(this.connections, path.experienceConnectionId!, status, access),
    updateExperienceConnection: ({ path, status }, access) =>
      this.learnRefusal(this.connections, path.experienceConnectionId!, status, access),
    deleteExperienceConnection: ({ path, status }, access) =>
      this.learnRefusal(this.connections, path.experienceConnectionId!, status, access),
    getExperienceAssignment: ({ path, status }, access) => this.learnRefusal(this.assignments, path.assignmentId!, status, access),
    deleteExperienceAssignment: ({ path, status }, access) => this.learnRefusal(this.assignments, path.assignmentId!, status, access),
    createExperienceAssignment: ({ body, status }) => {
      const { experienceId = '', targetType, targetValue } = readMembers(body);
      if (status !== 422 || targetType !== 'PHONE_NUMBER' || !this.experiences.has(experienceId)) return;
      const known = [...this.assignments.values()].filter((each) => each.targetValue === targetValue);
      if (known.some((each) => each.experienceId === experienceId) || known.length !== 1) return;
      // Nothing else is wrong with a valid number that another Experience has: both are of type AGENT.
      for (const id of [experienceId, known[0]!.experienceId]) this.experiences.set(id, true);
    },
    getExperienceAssignability: ({ path, status }, access) => {
      const id = path.experienceId!.toLowerCase();
      if (status === 403) access.experiences.set(id, 'read');
      if (status === 404 && this.experiences.has(id)) access.recordHidden('experiences', id);
    },
  };

  private learnRefusal(entities: Map<string, Between>, givenId: string, status: number, access: LearnedAccess): void {
    const id = givenId.toLowerCase();
    const known = entities.get(id);
    if (known === undefined) return;
    if (status === 403) access.recordReadOnly(known.accountId, known.experienceId);
    if (status !== 404) return;
    // The entity is gone, unless the caller may not see it.
    if (!access.sees('accounts', known.accountId)) access.recordHidden('accounts', known.accountId);
    else if (!access.sees('experiences', known.experienceId)) access.recordHidden('experiences', known.experienceId);
    else entities.delete(id);
  }

  /** Removes what a complete list would have shown. */
  private removeMissing<Entity extends Between>(
    entities: Map<string, Entity>,
    listed: readonly (string | undefined)[],
    isOfList: (entity: Entity) => boolean,
    access: LearnedAccess,
  ): void {
    for (const [id, entity] of entities) {
      const isVisible = access.sees('accounts', entity.accountId) && access.sees('experiences', entity.experienceId);
      if (isVisible && isOfList(entity) && !listed.includes(id)) entities.delete(id);
    }
  }

  private learnUser(answer: unknown, access: LearnedAccess): string | undefined {
    const { id, accountId, ...members } = readMembers(answer);
    if (!id || !accountId) return undefined;
    this.learnAccount(accountId, undefined, access);
    this.users.set(id, { ...members, accountId, nativeIds: this.users.get(id)?.nativeIds ?? [] });
    return id;
  }

  private learnAccount(id: string, name: string | undefined, access: LearnedAccess): void {
    this.accounts.set(id, name ?? this.accounts.get(id));
    access.recordSeen('accounts', id);
  }

  private learnPlace({ accountId, experienceId, accountName }: Members, access: LearnedAccess): void {
    this.learnAccount(accountId!, accountName, access);
    this.experiences.set(experienceId!, this.experiences.get(experienceId!) ?? false);
    access.recordSeen('experiences', experienceId!);
  }

  private learnConnection(answer: unknown, access: LearnedAccess): string | undefined {
    const members = readMembers(answer);
    const { id, accountId, experienceId, state, updatedAt } = members;
    if (!accountId || !experienceId) return undefined;
    this.learnPlace(members, access);
    if (!id) return undefined;
    const shown = { ...(state && { state: state as 'ACTIVE' }), ...(updatedAt && { updatedAt }) };
    this.connections.set(id, { ...this.connections.get(id), accountId, experienceId, ...shown });
    return id;
  }

  private learnAssignment(answer: unknown, access: LearnedAccess): string | undefined {
    const members = readMembers(answer);
    const { id, accountId, experienceId, targetType, targetValue, updatedAt } = members;
    if (!id || !accountId || !experienceId || !targetType || !targetValue) return undefined;
    this.learnPlace(members, access);
    if (targetType === 'PHONE_NUMBER') this.numbers.set(targetValue, accountId);
    if (targetType === 'USER' && !this.users.has(targetValue)) this.users.set(targetValue, { accountId, nativeIds: [] });
    const target = { targetType: targetType as LearnedAssignment['targetType'], targetValue };
    // A list in the flat form may omit updatedAt.
    this.assignments.set(id, { ...this.assignments.get(id), accountId, experienceId, ...target, ...(updatedAt && { updatedAt }) });
    return id;
  }
}

type Members = Readonly<Partial<Record<string, string>>>;

/** Returns an object's members, with UUIDs in lower case. */
function readMembers(value: unknown): Members {
  const isUuid = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, each]) => [name, isUuid(each) ? String(each).toLowerCase() : each]),
  ) as never;
}

function readPage(answer: unknown, query: Exchange['query'] = {}) {
  const { entities = [], cursor } = Object(answer) as { readonly entities?: readonly unknown[]; readonly cursor?: string | null };
  return { entities, isComplete: answer !== undefined && !cursor && query.cursor === undefined };
}
