import { randomUUID } from 'node:crypto';
import type { EventType } from '../../src/contract/generated/events.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { hears } from '../expect/hears.ts';
import { granted } from '../expect/observed.ts';
import { ofAssignment, ofConnection } from '../expect/wanted.ts';
import type { Capability, Scope } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { UNKNOWN_TARGETS } from '../target/sample-values.ts';
import { placeOf } from '../target/template.ts';
import { go } from './become.ts';
import type { Client } from './client.ts';
import { heardConnection } from './heard-connection.ts';
import type { Inbox } from './inbox.ts';
import type { Assignments } from './make-assignment.ts';
import type { Connections } from './make-connection.ts';

interface Parts {
  readonly api: Client;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  /** Where what is arranged is heard: of what is its own, the last change. */
  readonly inbox: Inbox;
  readonly connections: Connections;
  readonly assignments: Assignments;
}

type Ask = () => Promise<Answer>;

/** A change that is asked for wrongly in every way, and then rightly. */
export interface RefusedWrite {
  /** Of what would be changed: others may have been about some of it before. */
  readonly ids: readonly string[];
  /** Those of them that were made for this alone: of these nothing of any type is to be told. */
  readonly own: readonly string[];
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
    const { need, inbox, connections } = parts;
    const [existing, pair] = [await heardConnection(inbox, connections), await connections.pair()];
    const hasState = placeOf(await need('bodies.connectionCreate'), 'state') !== undefined;
    return {
      ids: [pair.experienceId, existing.id, existing.experienceId],
      own: [existing.id],
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
    const { inbox, connections } = parts;
    const [made, missing] = [await heardConnection(inbox, connections, 'INACTIVE'), randomUUID()];
    const state = 'ACTIVE';
    return {
      ids: [made.id, missing],
      own: [made.id, missing],
      experienceId: made.experienceId,
      refused: {
        ...(await forbidden(parts, CONNECTIONS, (token) => connections.update(made, state, { token }))),
        'it cannot be parsed': () => connections.update(made, state, { rawBody: NOT_JSON }),
        'the state is none': () => connections.update(made, NO_STATE),
        'it is in that state': () => connections.update(made, 'INACTIVE'),
        'there is none': () => connections.update({ ...made, id: missing }, state),
      },
      granted: () => connections.update(made, state),
      type: 'experience.connection.activated',
    };
  },

  async deleteExperienceConnection(parts) {
    const { need, inbox, connections } = parts;
    // What is kept is ACTIVE, as some would tell that it is so no more. What goes is not, as some may tell that of it, too.
    const [made, gone] = [await heardConnection(inbox, connections, 'ACTIVE'), await heardConnection(inbox, connections, 'INACTIVE')];
    await go(connections, gone);
    await hears(inbox, ofConnection('deleted', gone.id));
    const unassign = await connections.assign(made, 'PHONE_NUMBER', await need('number.second-account'));
    return {
      ids: [made.id, gone.id],
      own: [made.id, gone.id],
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
    const { inbox, assignments } = parts;
    const [existing, wanted] = [await assignments.make(), await assignments.wanted()];
    const unknown = { experienceId: wanted.experienceId, targetType: 'USER', targetValue: UNKNOWN_TARGETS.USER() };
    const { experienceId, targetType, targetValue } = existing;
    await hears(inbox, ofAssignment('created', existing.id));
    return {
      ids: [wanted.targetValue, existing.id, targetValue, unknown.targetValue],
      own: [existing.id, unknown.targetValue],
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
    const { api, need, inbox, assignments } = parts;
    const full = await need('token');
    const remove = (assignmentId: string, token = full) => api.call('deleteExperienceAssignment', { token, path: { assignmentId } });
    const [made, gone] = [await assignments.make(), await assignments.make()];
    for (const { id } of [made, gone]) await hears(inbox, ofAssignment('created', id));
    granted('an assignment that is deleted', await remove(gone.id));
    await hears(inbox, ofAssignment('deleted', gone.id));
    return {
      ids: [made.id, gone.id],
      own: [made.id, gone.id],
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
