import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, type Reply, type Request, success } from '../exchange.ts';
import { type Behind, remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { WRONG_INSTANTS } from './assignments-shape.ts';
import { inventedAccount, selected, takenBack, whereDone } from './assignments-world.ts';
import { isOfType, ofEachType, type TargetType } from './target-types.ts';
import { grantsOf } from './users-world.ts';

const CREATE = 'createExperienceAssignment';

/** A server that creates what it should, and answers otherwise. @param change gives undefined for what it answers as it should */
const saying = (does: string, change: (made: Json, request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>) =>
  whereDone(CREATE, does, (reply, request, behind) => change(bodyOf(reply), request, behind));

/** A server that answers the creation of a target of a type with something else. */
const wrongly = (type: TargetType, what: string, members: Json) =>
  saying(`Answers the creation of a ${type} with ${what}.`, (made) =>
    made.targetType === type ? created({ ...made, ...members }) : undefined,
  );

const created = (body: unknown) => success(201, body);

/** The same, where the answer hides the id: nobody could remove what was created, so the server does. */
const hiding = (does: string, answer: (made: Json) => Reply): Saboteur =>
  saying(does, async (made, _, { control }) => {
    await control.remove('assignments', made.id);
    return answer(made);
  });

/** The types of the Experiences that a target is assigned to: that of the new assignment, and those of the others. */
interface Types {
  readonly own: unknown;
  readonly others: readonly unknown[];
}

/** A server that does something else where other Experiences are assigned to a target. @param meant whether this is such a case */
const besideOthers = (
  does: string,
  change: (reply: Reply, others: readonly Json[], behind: Behind) => Promise<Reply>,
  meant: (made: Json, types: Types) => boolean = () => true,
): Saboteur =>
  remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    if (request.operation !== CREATE || !isSuccess(reply)) return reply;
    const made = bodyOf(reply);
    const all = await selected(request, service, { targetType: made.targetType, targetValue: made.targetValue });
    const others = all.filter(({ id }) => id !== made.id);
    const typeOf = async (id: string) => (await behind.control.find('experiences', id))?.type;
    const types = {
      own: await typeOf(made.experienceId),
      others: await Promise.all(others.map(({ experienceId }) => typeOf(experienceId))),
    };
    return others.length > 0 && meant(made, types) ? change(reply, others, behind) : reply;
  });

const refusing = (does: string, meant: (made: Json, types: Types) => boolean): Saboteur =>
  besideOthers(does, (reply, _, behind) => takenBack(reply, behind, 409), meant);

/** A server that remembers what was assigned and is not any more. @param change what it does when that is assigned again */
function neverForgetting(does: string, again: (reply: Reply, behind: Behind) => Reply | Promise<Reply>): Saboteur {
  const keyOf = ({ experienceId, targetType, targetValue }: Json) => [experienceId, targetType, targetValue].join();
  return remembering(does, () => {
    const [made, gone] = [new Map<string, string>(), new Set<string>()];
    return async (request, service, behind) => {
      const reply = await service(request);
      if (!isSuccess(reply)) return reply;
      if (request.operation === 'deleteExperienceAssignment') gone.add(made.get(request.path.assignmentId ?? '') ?? '');
      if (request.operation !== CREATE) return reply;
      const key = keyOf(bodyOf(reply));
      made.set(bodyOf(reply).id, key);
      return gone.has(key) ? again(reply, behind) : reply;
    };
  });
}

/** Servers that do not create what they should, or answer otherwise when they do. */
export const assignmentsCreate = {
  'assignments.create.created': [
    ...ofEachType((type) =>
      whereDone(CREATE, `Assigns no ${type}.`, (reply, _, behind) =>
        bodyOf(reply).targetType === type ? takenBack(reply, behind, 422) : undefined,
      ),
    ),
    saying('Answers a creation with 200.', (made) => success(200, made)),
    saying('Answers a creation with 202.', (made) => success(202, made)),
    hiding('Answers a creation with 204.', () => success(204)),
    hiding('Answers a creation without a body.', () => success(201)),
    saying('Answers a creation with the id alone.', ({ id }) => created({ id })),
    hiding('Answers a creation with what was sent.', ({ experienceId, targetType, targetValue }) =>
      created({ experienceId, targetType, targetValue }),
    ),
    hiding('Wraps a new assignment.', (made) => created({ assignment: made })),
  ],
  'assignments.create.echo': [
    ...ofEachType((type) => wrongly(type, 'another Experience', { experienceId: '5ab07a9e-0000-4000-8000-0000000e9e21' })),
    ...ofEachType((type) => wrongly(type, 'another targetType', { targetType: type === 'USER' ? 'ACCOUNT' : 'USER' })),
    ...ofEachType((type) =>
      wrongly(type, 'another targetValue', { targetValue: type === 'PHONE_NUMBER' ? '+12065550198' : inventedAccount }),
    ),
    hiding('Answers a creation without an id.', ({ id: _, ...made }) => created(made)),
    hiding('Answers a creation with an empty id.', (made) => created({ ...made, id: '' })),
    hiding('Answers a creation with a number for an id.', (made) => created({ ...made, id: 4711 })),
    saying('Answers a creation without updatedAt.', ({ updatedAt: _, ...made }) => created(made)),
    saying('Answers a creation with null for updatedAt.', (made) => created({ ...made, updatedAt: null })),
    saying('Answers a creation with the name of the Experience.', (made) => created({ ...made, experienceId: 'Concierge' })),
  ],
  'assignments.create.account-of-target': [
    ...ofEachType((type) =>
      saying(`Answers the creation of a ${type} with an account that does not own it.`, (made) =>
        made.targetType === type ? created({ ...made, accountId: inventedAccount }) : undefined,
      ),
    ),
    saying('Answers a creation with the target for its account.', (made) => created({ ...made, accountId: made.targetValue })),
    saying('Answers a creation with the Experience for its account.', (made) => created({ ...made, accountId: made.experienceId })),
    ...(['first', 'last'] as const).map((which) =>
      saying(`Takes for the account of any target the ${which} one that the caller may manage.`, async (made, request, behind) => {
        const aliases = Object.keys(await grantsOf(request, behind));
        const account = await behind.control.find('accounts', aliases.at(which === 'first' ? 0 : -1) ?? '');
        return created({ ...made, accountId: account?.id });
      }),
    ),
  ],
  'assignments.create.several-experiences': [
    ...ofEachType((type) => refusing(`Assigns a ${type} to one Experience only.`, isOfType(type))),
    refusing('Assigns nothing to two Experiences of type AGENT.', (_, { own, others }) => own === 'AGENT' && others.includes('AGENT')),
    refusing(
      'Assigns no number to an Experience of type AGENT that another has.',
      (made, { own }) => isOfType('PHONE_NUMBER')(made) && own === 'AGENT',
    ),
    refusing(
      'Assigns no number to another Experience that one of type AGENT has.',
      (made, { others }) => isOfType('PHONE_NUMBER')(made) && others.includes('AGENT'),
    ),
    ...ofEachType((type) =>
      besideOthers(
        `Takes a ${type} from the Experience that has it.`,
        async (reply, others, { control }) => {
          for (const { id } of others) await control.remove('assignments', id);
          return reply;
        },
        isOfType(type),
      ),
    ),
  ],
  'assignments.create.again': [
    neverForgetting('Refuses with 409 what was assigned once.', (reply, behind) => takenBack(reply, behind, 409)),
    neverForgetting('Refuses with 422 what was assigned once.', (reply, behind) => takenBack(reply, behind, 422)),
    neverForgetting('Says that it has assigned again what it has not.', async (reply, behind) => {
      await takenBack(reply, behind, 409);
      return reply;
    }),
  ],
  'assignments.create.updated-at-utc': [
    saying('Answers a creation with the beginning of time for updatedAt.', (made) =>
      created({ ...made, updatedAt: '0001-01-01T00:00:00Z' }),
    ),
    saying('Answers a creation with the zero of its clock for updatedAt.', (made) =>
      created({ ...made, updatedAt: '1970-01-01T00:00:00Z' }),
    ),
    ...(WRONG_INSTANTS.map(([how, change]) =>
      whereDone(CREATE, `Answers a creation ${how}.`, (reply) => answering(reply, change(bodyOf(reply)))),
    ) as [Saboteur, ...Saboteur[]]),
    saying('Answers a creation with an updatedAt that was never.', (made) => created({ ...made, updatedAt: '2026-13-45T25:61:61Z' })),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
