import type { EventType } from '../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { CallChange } from '../../../src/refusals/refusal.ts';
import { createDeliveredConnection } from '../../actors/arrange.ts';
import { describeChange, isPossible, sendChangedCall } from '../../actors/refusals.ts';
import { createNewEventFilter, expectSilence } from '../../actors/silence.ts';
import { matchAssignmentEvent } from '../../expect/event.ts';
import { requireSuccess } from '../../expect/response.ts';
import { rule, SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsNotTestable } from '../../target/check-report.ts';

const CALLERS: readonly CallChange[] = [{ as: 'invalid' }, { as: 'reader' }, { as: 'outsider' }, { as: 'without-scope' }];

for (const [operation, type] of [
  ['createExperienceConnection', 'experience.connection.created'],
  ['updateExperienceConnection', 'experience.connection.activated'],
  ['deleteExperienceConnection', 'experience.connection.deleted'],
  ['createExperienceAssignment', 'experience.assignment.created'],
  ['deleteExperienceAssignment', 'experience.assignment.deleted'],
] as const satisfies (readonly [OperationId, EventType])[]) {
  test(
    ...rule('events.publish.nothing-when-refused', operation, { tag: SILENCE_TAG }),
    async ({ need, has, calls, events, assignments, connections }) => {
      const inbox = await events.openDefaultInbox();
      const createSample = async () => {
        if (operation.startsWith('create')) return calls.createSample(operation);
        if (operation !== 'deleteExperienceAssignment') {
          const { id, ...pair } = await createDeliveredConnection(inbox, connections, 'INACTIVE');
          return { id, values: { ...pair, state: 'ACTIVE' } };
        }
        const { id } = await assignments.createOrThrow();
        await inbox.waitForEvent(matchAssignmentEvent('created', id));
        return { id };
      };
      const sample: Awaited<ReturnType<typeof calls.createSample>> = await createSample();
      // Only this Experience or this target identifies the event about an entity that does not exist yet.
      const ids = [sample.id ?? String(sample.values?.[type === 'experience.connection.created' ? 'experienceId' : 'targetValue'])];
      const send = (change: CallChange) => sendChangedCall({ need, calls }, operation, sample, change);
      const sendRefusedRequests = async () => {
        for (const change of CALLERS.filter((each) => isPossible(each, has)))
          if ((await send(change)).status < 400)
            endAsNotTestable(`the target accepts a call that it should refuse: ${operation} (${describeChange(change)})`);
      };
      const unwanted = [{ ids, type, ...(sample.id !== undefined && { isOwn: true as const }) }];
      await expectSilence(inbox, unwanted, sendRefusedRequests, 'a refused request publishes nothing');
      const isNew = createNewEventFilter(inbox);
      requireSuccess('the valid request to succeed', await send({}));
      await inbox.waitForEvent({ type, ids }, isNew);
    },
  );
}
