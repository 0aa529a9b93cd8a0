import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, type Json, success } from '../exchange.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { assignabilityRefusals } from './assignability-refusals.ts';
import { assignabilityVerdicts } from './assignability-verdicts.ts';
import { whereDone, withoutScope } from './assignments-world.ts';
import { ofEachType } from './target-types.ts';

const CHECK = 'getExperienceAssignability';

/** A server whose results have members like these: what is undefined is left out. */
const withThese = (does: string, members: (result: Json) => Json | undefined) =>
  whereDone(CHECK, does, (reply) => {
    const changed = members(bodyOf(reply));
    return changed && success(200, { ...bodyOf(reply), ...changed });
  });

/** Servers that break one rule each. */
export const assignability: SaboteursOf<Extract<TestableRuleId['openapi'], `assignability.${string}`>> = {
  'assignability.scope': withoutScope(CHECK, 'Checks assignability', ({ path, query }) =>
    success(200, { ...path, ...query, assignable: false }),
  ),
  'assignability.shape': [
    withThese('Leaves assignable out where it is false.', ({ assignable }) => (assignable ? undefined : { assignable: undefined })),
    withThese('Has null for assignable where it is false.', ({ assignable }) => (assignable ? undefined : { assignable: null })),
    withThese('Says why not instead of false.', ({ assignable }) => (assignable ? undefined : { assignable: 'ALREADY_ASSIGNED' })),
    withThese('Leaves the experienceId out of the result.', () => ({ experienceId: undefined })),
    withThese('Leaves the targetType out of the result.', () => ({ targetType: undefined })),
    withThese('Leaves the targetValue out of the result.', () => ({ targetValue: undefined })),
    withThese('Calls assignable isAssignable.', ({ assignable }) => ({ assignable: undefined, isAssignable: assignable })),
    withThese('Says assignable as a text.', ({ assignable }) => ({ assignable: `${assignable}` })),
    withThese('Says assignable as a number.', ({ assignable }) => ({ assignable: Number(assignable) })),
    withThese('Says who may be assigned instead of true.', ({ assignable }) => (assignable ? { assignable: ['anyone'] } : undefined)),
    withThese('Has the target in an object.', ({ targetType, targetValue }) => ({
      targetType: undefined,
      targetValue: undefined,
      target: { targetType, targetValue },
    })),
    whereDone(CHECK, 'Wraps the result.', (reply) => success(200, { result: bodyOf(reply) })),
    whereDone(CHECK, 'Answers with a list of one result.', (reply) => success(200, [bodyOf(reply)])),
    whereDone(CHECK, 'Answers with true or false alone.', (reply) => success(200, bodyOf(reply).assignable)),
  ],
  'assignability.echo': [
    withThese('Names the Experience instead of its id.', () => ({ experienceId: 'Concierge' })),
    withThese('Names another Experience.', () => ({ experienceId: '5ab07a9e-0000-4000-8000-0000000e9e21' })),
    withThese('Takes the plus of a number for a space.', ({ targetType, targetValue }) =>
      targetType === 'PHONE_NUMBER' ? { targetValue: String(targetValue).replace('+', ' ') } : undefined,
    ),
    ...ofEachType((type) =>
      withThese(`Says ${type === 'USER' ? 'ACCOUNT' : 'USER'} for the type of a target of type ${type}.`, ({ targetType }) =>
        targetType === type ? { targetType: type === 'USER' ? 'ACCOUNT' : 'USER' } : undefined,
      ),
    ),
    ...ofEachType((type) =>
      withThese(`Says another value for a target of type ${type}.`, ({ targetType }) =>
        targetType === type
          ? { targetValue: type === 'PHONE_NUMBER' ? '+12065550198' : '5ab07a9e-0000-4000-8000-000000000001' }
          : undefined,
      ),
    ),
    withThese('Names no value of a target that is not assignable.', ({ assignable }) => (assignable ? undefined : { targetValue: '' })),
  ],
  ...assignabilityVerdicts,
  ...assignabilityRefusals,
};
