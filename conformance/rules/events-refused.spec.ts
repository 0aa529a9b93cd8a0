import { randomUUID } from 'node:crypto';
import type { EventType } from '../../src/contract/generated/events.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { waitForEvent } from '../actors/change-events.ts';
import { deliveredConnection } from '../actors/changes.ts';
import type { Inbox } from '../actors/inbox.ts';
import type { Participants } from '../actors/participants.ts';
import { expectSilence, newEvents } from '../actors/silence.ts';
import { assignmentEvent, connectionEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Scope } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import { UNKNOWN_TARGETS, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';
import { placeOf } from '../target/template.ts';

type Send = () => Promise<Answer>;

/** A change that is refused for several reasons, and then made. */
interface Write {
  /** Ids that no event of `type` may be about after the refusals. */
  readonly ids: readonly string[];
  /** Ids of this check alone: no event of any type may be about them. */
  readonly own: readonly string[];
  readonly experienceId: string;
  /** Requests that are refused, by reason. */
  readonly refused: Readonly<Record<string, Send>>;
  readonly valid: Send;
  /** The event that the valid request publishes. */
  readonly type: EventType;
}

const CONNECTIONS: Scope = 'experience-connections:manage';
const ASSIGNMENTS: Scope = 'experience-assignments:manage';
const NOT_JSON = '{"unfinished":';
const INVALID_STATE = 'SLEEPING';

/** The request with each token that does not allow it, as far as the target gives them. */
async function forbidden({ need, has }: Participants, scope: Scope, send: (token: string) => Promise<Answer>): Promise<Write['refused']> {
  return {
    'the token is invalid': () => send('not-a-token'),
    ...(has('token.reader') && { 'the caller may only read': async () => send(await need('token.reader')) }),
    ...(has('token.outsider') && { 'the caller has no access': async () => send(await need('token.outsider')) }),
    ...(has('token.without-scope') && { 'the token lacks the scope': async () => send((await need('token.without-scope'))[scope]) }),
  };
}

/** By operation. The events of what is arranged are delivered before. */
const WRITES: Readonly<Record<Exclude<OperationId, `get${string}`>, (participants: Participants, inbox: Inbox) => Promise<Write>>> = {
  async createExperienceConnection(participants, inbox) {
    const { need, connections } = participants;
    const [existing, pair] = [await deliveredConnection(inbox, connections), await connections.pair()];
    const hasState = placeOf(await need('bodies.connectionCreate'), 'state') !== undefined;
    return {
      ids: [pair.experienceId, existing.id, existing.experienceId],
      own: [existing.id],
      experienceId: pair.experienceId,
      refused: {
        ...(await forbidden(participants, CONNECTIONS, (token) => connections.create(pair, { token }))),
        'the body cannot be parsed': () => connections.create(pair, { rawBody: NOT_JSON }),
        ...(hasState && { 'the state is invalid': () => connections.create({ ...pair, state: INVALID_STATE }) }),
        'it exists': () => connections.create({ accountId: existing.accountId, experienceId: existing.experienceId }),
      },
      valid: () => connections.create(pair),
      type: 'experience.connection.created',
    };
  },

  async updateExperienceConnection(participants, inbox) {
    const { connections } = participants;
    const [connection, missing] = [await deliveredConnection(inbox, connections, 'INACTIVE'), randomUUID()];
    return {
      ids: [connection.id, missing],
      own: [connection.id, missing],
      experienceId: connection.experienceId,
      refused: {
        ...(await forbidden(participants, CONNECTIONS, (token) => connections.update(connection, 'ACTIVE', { token }))),
        'the body cannot be parsed': () => connections.update(connection, 'ACTIVE', { rawBody: NOT_JSON }),
        'the state is invalid': () => connections.update(connection, INVALID_STATE),
        'it has that state': () => connections.update(connection, 'INACTIVE'),
        'it is missing': () => connections.update({ ...connection, id: missing }, 'ACTIVE'),
      },
      valid: () => connections.update(connection, 'ACTIVE'),
      type: 'experience.connection.activated',
    };
  },

  async deleteExperienceConnection(participants, inbox) {
    const { need, connections } = participants;
    // One that is ACTIVE, because a wrong event may say that it was deactivated. A deletion may publish that event, so the deleted one is INACTIVE.
    const connection = await deliveredConnection(inbox, connections, 'ACTIVE');
    const deleted = await deliveredConnection(inbox, connections, 'INACTIVE');
    await connections.deleteConnection(deleted);
    await inbox.waitForEvent(connectionEvent('deleted', deleted.id));
    const unassign = await connections.assign(connection, 'PHONE_NUMBER', await need('number.second-account'));
    return {
      ids: [connection.id, deleted.id],
      own: [connection.id, deleted.id],
      experienceId: connection.experienceId,
      refused: {
        ...(await forbidden(participants, CONNECTIONS, (token) => connections.remove(connection, { token }))),
        'a number is assigned': () => connections.remove(connection),
        'it is deleted': () => connections.remove(deleted),
      },
      async valid() {
        await unassign();
        return connections.remove(connection);
      },
      type: 'experience.connection.deleted',
    };
  },

  async createExperienceAssignment(participants, inbox) {
    const { assignments } = participants;
    const [existing, body] = [await assignments.make(), await assignments.newBody()];
    const { experienceId, targetType, targetValue } = existing;
    const unknownUser = UNKNOWN_TARGETS.USER();
    await inbox.waitForEvent(assignmentEvent('created', existing.id));
    return {
      ids: [body.targetValue, existing.id, targetValue, unknownUser],
      own: [existing.id, unknownUser],
      experienceId,
      refused: {
        ...(await forbidden(participants, ASSIGNMENTS, (token) => assignments.create(body, { token }))),
        'the body cannot be parsed': () => assignments.create(undefined, { rawBody: NOT_JSON }),
        'the targetType is invalid': () => assignments.create({ ...body, targetType: UNLISTED_TARGET_TYPE }),
        'the user is unknown': () => assignments.create({ ...body, targetType: 'USER', targetValue: unknownUser }),
        'it exists': () => assignments.create({ experienceId, targetType, targetValue }),
      },
      valid: () => assignments.create(body),
      type: 'experience.assignment.created',
    };
  },

  async deleteExperienceAssignment(participants, inbox) {
    const { assignments } = participants;
    const [assignment, deleted] = [await assignments.make(), await assignments.make()];
    for (const { id } of [assignment, deleted]) await inbox.waitForEvent(assignmentEvent('created', id));
    requireSuccess('an assignment that is deleted', await assignments.remove(deleted.id));
    await inbox.waitForEvent(assignmentEvent('deleted', deleted.id));
    return {
      ids: [assignment.id, deleted.id],
      own: [assignment.id, deleted.id],
      experienceId: assignment.experienceId,
      refused: {
        ...(await forbidden(participants, ASSIGNMENTS, (token) => assignments.remove(assignment.id, { token }))),
        'it is deleted': () => assignments.remove(deleted.id),
      },
      valid: () => assignments.remove(assignment.id),
      type: 'experience.assignment.deleted',
    };
  },
};

for (const [operation, arrange] of Object.entries(WRITES)) {
  test(...rule('events.publish.nothing-when-refused', operation), async ({ events, participants }) => {
    const inbox = await events.subscribed();
    const write = await arrange(participants, inbox);
    const { own, ids, type, experienceId } = write;
    const unwanted = [{ ids: own, isOwn: true } as const, { ids, type }];
    const sendRefused = async () => {
      for (const [reason, send] of Object.entries(write.refused)) if ((await send()).status < 400) notTestable(`a refusal where ${reason}`);
    };
    await expectSilence(inbox, unwanted, sendRefused, 'a refused request publishes nothing');
    const isNew = newEvents(inbox);
    requireSuccess('the valid request', await write.valid());
    await waitForEvent({ inbox, type, ids, experienceId }, isNew);
  });
}
