import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, type Request, withMembers } from '../exchange.ts';
import { type Behind, remembering, type Saboteur, type SaboteursOf, type Service } from '../saboteur.ts';
import { accountOf, selected, whereDone } from './assignments-world.ts';
import { ofEachType } from './target-types.ts';

const CHECK = 'getExperienceAssignability';

/** A server that says something else of targets that cannot be found. */
function ofUnknown(does: string, change: (reply: Reply, result: Json) => Reply | undefined): Saboteur {
  return whereDone(CHECK, does, async (reply, { query }, behind) =>
    (await accountOf(behind, query)) === undefined ? change(reply, bodyOf(reply)) : undefined,
  );
}

/** A server that says false of a target that is assigned to other Experiences. @param refuses whether this is such a case */
function notWhereAssigned(
  does: string,
  refuses: (asked: Json, types: { readonly own: unknown; readonly others: readonly unknown[] }) => boolean,
): Saboteur {
  const typeOf = async ({ control }: Behind, id: string | undefined) => (await control.find('experiences', id ?? ''))?.type;
  const others = async (request: Request, service: Service, behind: Behind) => {
    const { targetType = '', targetValue = '' } = request.query;
    const assigned = await selected(request, service, { targetType, targetValue });
    return Promise.all(assigned.map(({ experienceId }) => typeOf(behind, experienceId)));
  };
  return remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    if (request.operation !== CHECK || !isSuccess(reply) || !bodyOf(reply).assignable) return reply;
    const types = { own: await typeOf(behind, request.path.experienceId), others: await others(request, service, behind) };
    return types.others.length > 0 && refuses(request.query, types) ? withMembers(reply, { assignable: false }) : reply;
  });
}

/** Servers that judge wrong whether an Experience can be assigned to a target. */
export const assignabilityVerdicts: SaboteursOf<'assignability.unknown-target-false' | 'assignability.free-target-true'> = {
  'assignability.unknown-target-false': [
    ofUnknown('Answers for a target that cannot be found with 404.', () => problem(404)),
    ofUnknown('Answers for a target that cannot be found with 422.', () => problem(422)),
    ofUnknown('Has null for whether a target is assignable that cannot be found.', (reply) => withMembers(reply, { assignable: null })),
    ...ofEachType((type) =>
      ofUnknown(`Takes any ${type} for assignable, known or not.`, (reply, { targetType }) =>
        targetType === type ? withMembers(reply, { assignable: true }) : undefined,
      ),
    ),
  ],
  'assignability.free-target-true': [
    whereDone(CHECK, 'Takes nothing for assignable.', (reply) => withMembers(reply, { assignable: false })),
    ...ofEachType((type) =>
      whereDone(CHECK, `Takes no ${type} for assignable.`, (reply, { query }) =>
        query.targetType === type ? withMembers(reply, { assignable: false }) : undefined,
      ),
    ),
    notWhereAssigned('Takes no target for assignable that another Experience is assigned to.', () => true),
    notWhereAssigned(
      'Takes no number for assignable to an Experience of another type that has one of type AGENT.',
      ({ targetType }, { own, others }) => targetType === 'PHONE_NUMBER' && own !== 'AGENT' && others.includes('AGENT'),
    ),
    notWhereAssigned(
      'Takes no number for assignable to an Experience of type AGENT that has one of another type.',
      ({ targetType }, { own }) => targetType === 'PHONE_NUMBER' && own === 'AGENT',
    ),
    notWhereAssigned(
      'Takes no user and no account for assignable to an Experience of type AGENT that has one already.',
      ({ targetType }, { own, others }) => targetType !== 'PHONE_NUMBER' && own === 'AGENT' && others.includes('AGENT'),
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
