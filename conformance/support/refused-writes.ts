import { randomUUID } from 'node:crypto';
import type { EventType } from '../../src/contract/generated/events.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Capability, Scope } from './capabilities.ts';
import type { Client } from './client.ts';
import type { Answer } from './exchange.ts';
import type { Assignments } from './make-assignment.ts';
import type { Connections } from './make-connection.ts';
import type { Need } from './need.ts';
import { placeOf } from './template.ts';
import { UNKNOWN_TARGETS } from './wrong.ts';

interface Parts {
  readonly api: Client;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly connections: Connections;
  readonly assignments: Assignments;
}

type Ask = () => Promise<Answer>;

/** A change that is asked for wrongly in every way, and then rightly. */
export interface RefusedWrite {
  /** Of what would be changed; nothing else is about them. */
  readonly ids: readonly string[];
  readonly experienceId: string;
  /** By why each is refused. */
  readonly refused: Readonly<Record<string, Ask>>;
  readonly granted: Ask;
  /** What is published of the change. */
  readonly type: EventType;
}

type Writing = Exclude<OperationId, `get${string}`>;

const CONNECTIONS: Scope = 'experience-connections:manage';
const ASSIGNMENTS: Scope = 'experience-assignments:manage';
const NOT_JSON = '{"unfinished":';
/** No connection is ever in it. */
const NO_STATE = 'SLEEPING';

/** Of each operation that changes something; what it needs is made beforehand. */
export const REFUSED_WRITES: Readonly<Record<Writing, (parts: Parts) => Promise<RefusedWrite>>> = {
  async createExperienceConnection(parts) {
    const { need, connections } = parts;
    const [existing, pair] = [await connections.make(), await connections.pair()];
    const hasState = placeOf(await need('bodies.connectionCreate'), 'state') !== undefined;
    return {
      ids: [pair.experienceId, existing.id, existing.experienceId],
      experienceId: pair.experienceId,
      refused: {
        ...(await forbidden(parts, CONNECTIONS, (token) => connections.create(pair, { token }))),
        'it cannot be parsed': () => connections.create(pair, { rawBody: NOT_JSON }),
        ...(hasState && { 'its state is none': () => connections.create({ ...pair, state: NO_STATE }) }),
        'there is one': () => connections.create({ accountId: existing.accountId, experienceId: existing.experienceId }),
      },
      granted: () => connections.create(pair),
      type: 'experience.connection.created',
    };
  },

  async updateExperienceConnection(parts) {
    const { connections } = parts;
    const [made, missing] = [await connections.make({ state: 'INACTIVE' }), randomUUID()];
    return {
      ids: [made.id, missing],
      experienceId: made.experienceId,
      refused: {
        ...(await forbidden(parts, CONNECTIONS, (token) => connections.update(made, 'ACTIVE', { token }))),
        'it cannot be parsed': () => connections.update(made, 'ACTIVE', { rawBody: NOT_JSON }),
        'the state is none': () => connections.update(made, NO_STATE),
        'it is in that state': () => connections.update(made, 'INACTIVE'),
        'there is none': () => connections.update({ ...made, id: missing }, 'ACTIVE'),
      },
      granted: () => connections.update(made, 'ACTIVE'),
      type: 'experience.connection.activated',
    };
  },

  async deleteExperienceConnection(parts) {
    const { need, connections } = parts;
    const [made, gone] = [await connections.make(), await connections.make()];
    await connections.remove(gone);
    const unassign = await connections.assign(made, 'PHONE_NUMBER', await need('number.second-account'));
    return {
      ids: [made.id, gone.id],
      experienceId: made.experienceId,
      refused: {
        ...(await forbidden(parts, CONNECTIONS, (token) => connections.remove(made, { token }))),
        'a number is assigned': () => connections.remove(made),
        'it is gone': () => connections.remove(gone),
      },
      async granted() {
        await unassign();
        return connections.remove(made);
      },
      type: 'experience.connection.deleted',
    };
  },

  async createExperienceAssignment(parts) {
    const { assignments } = parts;
    const [existing, wanted] = [await assignments.make(), await assignments.wanted()];
    const unknown = { experienceId: wanted.experienceId, targetType: 'USER', targetValue: UNKNOWN_TARGETS.USER() };
    const { experienceId, targetType, targetValue } = existing;
    return {
      ids: [wanted.targetValue, existing.id, targetValue, unknown.targetValue],
      experienceId,
      refused: {
        ...(await forbidden(parts, ASSIGNMENTS, (token) => assignments.create(wanted, { token }))),
        'it cannot be parsed': () => assignments.create(undefined, { rawBody: NOT_JSON }),
        'its target is of no type': () => assignments.create({ ...wanted, targetType: 'DEVICE' }),
        'there is no such user': () => assignments.create(unknown),
        'there is one': () => assignments.create({ experienceId, targetType, targetValue }),
      },
      granted: () => assignments.create(wanted),
      type: 'experience.assignment.created',
    };
  },

  async deleteExperienceAssignment(parts) {
    const { api, need, assignments } = parts;
    const full = await need('token');
    const remove = (assignmentId: string, token = full) => api.call('deleteExperienceAssignment', { token, path: { assignmentId } });
    const [made, gone] = [await assignments.make(), await assignments.make()];
    await remove(gone.id);
    return {
      ids: [made.id, made.targetValue, gone.id, gone.targetValue],
      experienceId: made.experienceId,
      refused: {
        ...(await forbidden(parts, ASSIGNMENTS, (token) => remove(made.id, token))),
        'it is gone': () => remove(gone.id),
      },
      granted: () => remove(made.id),
      type: 'experience.assignment.deleted',
    };
  },
};

/** The same change asked for by everybody who may not make it, as far as the target gives them. */
async function forbidden(
  { need, has }: Parts,
  scope: Scope,
  ask: (token: string) => Promise<Answer>,
): Promise<Readonly<Record<string, Ask>>> {
  return {
    'its token is none': () => ask('not-a-token'),
    ...(has('token.reader') && { 'the caller may only read': async () => ask(await need('token.reader')) }),
    ...(has('token.outsider') && { 'the caller has no access': async () => ask(await need('token.outsider')) }),
    ...(has('token.without-scope') && { 'the scope is missing': async () => ask((await need('token.without-scope'))[scope]) }),
  };
}
