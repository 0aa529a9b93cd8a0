import { randomUUID } from 'node:crypto';
import type { EventType } from '../../src/contract/generated/events.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { UNFINISHED_JSON, UNLISTED_STATE, UNLISTED_TARGET_TYPE } from '../../src/refusals/hostile-values.ts';
import type { CallChange } from '../../src/refusals/refusal.ts';
import { createDeliveredConnection } from '../actors/arrange.ts';
import { waitForEvent } from '../actors/change-events.ts';
import type { Inbox } from '../actors/inbox.ts';
import type { Participants } from '../actors/participants.ts';
import { describeChange, isPossible, sendChangedCall } from '../actors/refusals.ts';
import type { Sample, SampleCalls } from '../actors/sample-calls.ts';
import { createNewEventFilter, expectSilence } from '../actors/silence.ts';
import { matchAssignmentEvent, matchConnectionEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { findPlaceholder } from '../target/template.ts';

interface RefusedWrite {
  readonly sample: Sample;
  readonly refused: readonly CallChange[];
  /** Called after the refused calls and before the valid call. */
  readonly prepare?: () => Promise<unknown>;
  readonly type: EventType;
  /** Ids that no new event of `type` may contain after the refusals. */
  readonly ids: readonly string[];
  /** Ids that only this check uses. No new event of any type may contain them after the refusals. */
  readonly own: readonly string[];
}

type CallParts = Participants & { readonly calls: SampleCalls };

const CALLERS: readonly CallChange[] = [{ as: 'invalid' }, { as: 'reader' }, { as: 'outsider' }, { as: 'without-scope' }];
const INCOMPLETE_JSON: CallChange = { rawBody: UNFINISHED_JSON };
const INVALID_STATE: CallChange = { values: { state: UNLISTED_STATE } };

/** For each operation, creates the entities that its call needs, and waits for their events. */
const WRITES: Readonly<Record<Exclude<OperationId, `get${string}`>, (parts: CallParts, inbox: Inbox) => Promise<RefusedWrite>>> = {
  async createExperienceConnection({ need, calls, connections }, inbox) {
    const { id, ...existing } = await createDeliveredConnection(inbox, connections);
    const sample = await calls.createSample('createExperienceConnection');
    const experienceId = String(sample.values?.experienceId);
    const hasState = findPlaceholder(await need('bodies.connectionCreate'), 'state') !== undefined;
    return {
      sample,
      refused: [...CALLERS, INCOMPLETE_JSON, ...(hasState ? [INVALID_STATE] : []), { values: existing }],
      type: 'experience.connection.created',
      ids: [experienceId, id, existing.experienceId],
      own: [id],
    };
  },

  async updateExperienceConnection({ connections }, inbox) {
    const unknownId = randomUUID();
    const { id, ...pair } = await createDeliveredConnection(inbox, connections, 'INACTIVE');
    return {
      sample: { id, values: { ...pair, state: 'ACTIVE' } },
      refused: [...CALLERS, INCOMPLETE_JSON, INVALID_STATE, { values: { state: 'INACTIVE' } }, { id: unknownId }],
      type: 'experience.connection.activated',
      ids: [id, unknownId],
      own: [id, unknownId],
    };
  },

  async deleteExperienceConnection({ need, connections }, inbox) {
    // `connection` is ACTIVE, so that the check detects a deactivation event after the refusal. `deleted` is INACTIVE, so that its deletion
    // publishes no such event.
    const connection = await createDeliveredConnection(inbox, connections, 'ACTIVE');
    const deleted = await createDeliveredConnection(inbox, connections, 'INACTIVE');
    await connections.deleteConnection(deleted);
    await inbox.waitForEvent(matchConnectionEvent('deleted', deleted.id));
    return {
      sample: { id: connection.id },
      // `{}` is the unchanged call. The target must refuse it, because the connection has an assigned number.
      refused: [...CALLERS, {}, { id: deleted.id }],
      prepare: await connections.assign(connection, 'PHONE_NUMBER', await need('number.second-account')),
      type: 'experience.connection.deleted',
      ids: [connection.id, deleted.id],
      own: [connection.id, deleted.id],
    };
  },

  async createExperienceAssignment({ assignments }, inbox) {
    const unknownId = randomUUID();
    const [{ id, experienceId, targetType, targetValue }, body] = [await assignments.createOrThrow(), await assignments.createBody()];
    await inbox.waitForEvent(matchAssignmentEvent('created', id));
    return {
      sample: { values: { ...body } },
      refused: [
        ...CALLERS,
        INCOMPLETE_JSON,
        { values: { targetType: UNLISTED_TARGET_TYPE } },
        { values: { targetType: 'USER', targetValue: unknownId } },
        { values: { experienceId, targetType, targetValue } },
      ],
      type: 'experience.assignment.created',
      ids: [body.targetValue, id, targetValue, unknownId],
      own: [id, unknownId],
    };
  },

  async deleteExperienceAssignment({ assignments }, inbox) {
    const [assignment, deleted] = [await assignments.createOrThrow(), await assignments.createOrThrow()];
    for (const { id } of [assignment, deleted]) await inbox.waitForEvent(matchAssignmentEvent('created', id));
    requireSuccess('a deleted assignment', await assignments.remove(deleted.id));
    await inbox.waitForEvent(matchAssignmentEvent('deleted', deleted.id));
    return {
      sample: { id: assignment.id },
      refused: [...CALLERS, { id: deleted.id }],
      type: 'experience.assignment.deleted',
      ids: [assignment.id, deleted.id],
      own: [assignment.id, deleted.id],
    };
  },
};

for (const [operation, arrange] of Object.entries(WRITES) as [keyof typeof WRITES, (typeof WRITES)[keyof typeof WRITES]][]) {
  test(...rule('events.publish.nothing-when-refused', operation), async ({ need, has, calls, events, participants }) => {
    const inbox = await events.openDefaultInbox();
    const { sample, refused, prepare, type, ids, own } = await arrange({ ...participants, calls }, inbox);
    const send = (change: CallChange) => sendChangedCall({ need, calls }, operation, sample, change);
    const unwanted = [{ ids: own, isOwn: true } as const, { ids, type }];
    const sendRefusedRequests = async () => {
      for (const change of refused.filter((each) => isPossible(each, has)))
        if ((await send(change)).status < 400)
          endAsNotTestable(
            `the target accepts a call that it should refuse: ${operation} (${describeChange(change) || 'a number is assigned'})`,
          );
    };
    await expectSilence(inbox, unwanted, sendRefusedRequests, 'a refused request publishes nothing');
    const isNew = createNewEventFilter(inbox);
    await prepare?.();
    requireSuccess('the valid request to succeed', await send({}));
    await waitForEvent({ inbox, type, ids }, isNew);
  });
}
