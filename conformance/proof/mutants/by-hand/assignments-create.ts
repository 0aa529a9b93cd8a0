import { refusedBy } from '../derived/refusals.ts';
import { bodyOf, isSuccess, type Json, type Reply, type Request, withEntities, withJson, withMembers } from '../exchange.ts';
import type { ByHand, Kit, Service, Start } from '../mutant.ts';
import { accountOfTarget, assignedTo, invented, typeOf } from './assignments-world.ts';
import { accountsOf, changeRefusal, changeSuccess, forEachType, undo, withAllScopes } from './world.ts';

const CREATE = 'createExperienceAssignment';

/** Creates the assignment, and shows other members of it. */
const show = (members: (created: Json, request: Request, kit: Kit) => Json | Promise<Json>): Start =>
  changeSuccess(CREATE, async (reply, request, _, kit) => withMembers(reply, await members(bodyOf(reply), request, kit)));

const refuseType = (type: string): Start =>
  changeSuccess(CREATE, (reply, _, __, kit) => (bodyOf(reply).targetType === type ? undo('assignments', reply, kit, 422) : undefined));

interface Beside {
  readonly type: string;
  /** The type of the Experience. */
  readonly own: unknown;
  /** The types of the other Experiences that the target is assigned to. */
  readonly others: readonly unknown[];
}

/** Creates an assignment of a target that has others in another way. */
const beside = (isMeant: (beside: Beside) => boolean, change: (reply: Reply, others: readonly Json[], kit: Kit) => Promise<Reply>): Start =>
  changeSuccess(CREATE, async (reply, request, service, kit) => {
    const created = bodyOf(reply);
    const others = (await assignedTo(created, request, service)).filter(({ id }) => id !== created.id);
    const types = await Promise.all(others.map(({ experienceId }) => typeOf(experienceId, kit)));
    const facts = { type: created.targetType, own: await typeOf(created.experienceId, kit), others: types };
    return others.length > 0 && isMeant(facts) ? change(reply, others, kit) : undefined;
  });
const refuseBeside = (isMeant: (beside: Beside) => boolean): Start =>
  beside(isMeant, (reply, _, kit) => undo('assignments', reply, kit, 409));
const takeAway = async (reply: Reply, others: readonly Json[], { control }: Kit): Promise<Reply> => {
  for (const { id } of others) await control.remove('assignments', id);
  return reply;
};

/** Remembers what was assigned and deleted, and answers otherwise when it is assigned again. */
const again =
  (answer: (reply: Reply, kit: Kit) => Promise<Reply>): Start =>
  () => {
    const created = new Map<string | undefined, string>();
    const deleted = new Set<string | undefined>();
    return {
      requests: async (request, service, kit) => {
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        if (request.operation === 'deleteExperienceAssignment') deleted.add(created.get(request.path.assignmentId));
        if (request.operation !== CREATE) return reply;
        const { id, experienceId, targetType, targetValue } = bodyOf(reply);
        const key = [experienceId, targetType, targetValue].join();
        created.set(id, key);
        return deleted.has(key) ? answer(reply, kit) : reply;
      },
    };
  };

/** Refuses by a rule, and lists what was sent from then on. */
const keep =
  (rule: string): Start =>
  () => {
    const kept: Json[] = [];
    const fits = (assignment: Json, { query }: Request) =>
      ['accountId', 'experienceId', 'targetType', 'targetValue'].every((name) =>
        [undefined, assignment[name] ?? query[name]].includes(query[name]),
      );
    return {
      requests: async (request, service, kit) => {
        const reply = await service(request);
        if (request.operation === CREATE && refusedBy(reply) === rule)
          kept.push(invented({ ...bodyOf(request), accountId: await accountOfTarget(bodyOf(request), kit) }));
        const isEnd = request.operation === 'getExperienceAssignments' && isSuccess(reply) && bodyOf(reply).cursor === null;
        return isEnd ? withEntities(reply, (all) => [...all, ...kept.filter((each) => fits(each, request))]) : reply;
      },
    };
  };

/** Refuses by a rule, and removes what is assigned to the target. */
const removeOthers = (rule: string): Start =>
  changeRefusal(rule, CREATE, async (reply, request, service, kit) =>
    takeAway(reply, await assignedTo(bodyOf(request), request, service), kit),
  );

/** Refuses a duplicate, and shows the assignment with another updatedAt from then on. */
const touchDuplicate: Start = () => {
  const touched = new Set<string>();
  const shown = (assignment: Json): Json =>
    touched.has(assignment.id) ? { ...assignment, updatedAt: '2036-01-01T00:00:00.000Z' } : assignment;
  return {
    requests: async (request: Request, service: Service) => {
      const reply = await service(request);
      const { experienceId, ...target } = bodyOf(request);
      if (refusedBy(reply) === 'assignments.create.duplicate')
        for (const found of await assignedTo(target, request, service)) if (found.experienceId === experienceId) touched.add(found.id);
      if (!isSuccess(reply)) return reply;
      if (request.operation === 'getExperienceAssignment') return withJson(reply, shown(bodyOf(reply)));
      return request.operation === 'getExperienceAssignments' ? withEntities(reply, (all) => all.map(shown)) : reply;
    },
  };
};

export const assignmentsCreate = {
  'assignments.create.created': forEachType('Creates no assignments of TYPE.', refuseType),
  'assignments.create.echo': {
    'Shows an empty id.': show(() => ({ id: '' })),
  },
  'assignments.create.account-of-target': {
    'Shows the target as the account.': show(({ targetValue }) => ({ accountId: targetValue })),
    'Shows the Experience as the account.': show(({ experienceId }) => ({ accountId: experienceId })),
    'Shows the first account of the caller.': show(async (_, request, kit) => ({ accountId: (await accountsOf(request, kit))[0] })),
    'Shows the last account of the caller.': show(async (_, request, kit) => ({ accountId: (await accountsOf(request, kit)).at(-1) })),
  },
  'assignments.create.several-experiences': {
    ...forEachType('Assigns a TYPE to one Experience only.', (type) => refuseBeside((found) => found.type === type)),
    'Assigns nothing to two AGENT Experiences.': refuseBeside(({ own, others }) => own === 'AGENT' && others.includes('AGENT')),
    'Assigns no number of another Experience to one of type AGENT.': refuseBeside(
      ({ type, own }) => type === 'PHONE_NUMBER' && own === 'AGENT',
    ),
    'Assigns no number of an AGENT Experience to another one.': refuseBeside(
      ({ type, others }) => type === 'PHONE_NUMBER' && others.includes('AGENT'),
    ),
    ...forEachType('Takes a TYPE from the Experience that has it.', (type) => beside((found) => found.type === type, takeAway)),
  },
  'assignments.create.again': {
    'Refuses with 409 what was assigned once.': again((reply, kit) => undo('assignments', reply, kit, 409)),
    'Does not create what was assigned once.': again(async (reply, kit) => {
      await undo('assignments', reply, kit, 409);
      return reply;
    }),
  },
  'assignments.create.updated-at-utc': {
    'Shows the start of Unix time as updatedAt.': show(() => ({ updatedAt: '1970-01-01T00:00:00Z' })),
    'Shows an impossible updatedAt.': show(() => ({ updatedAt: '2026-13-45T25:61:61Z' })),
  },
  'assignments.create.agent-number-taken': {
    'Takes the number from the AGENT Experience that has it.': changeRefusal(
      'assignments.create.agent-number-taken',
      CREATE,
      async (_, request, service, kit) => {
        for (const { id, experienceId } of await assignedTo(bodyOf(request), request, service))
          if ((await typeOf(experienceId, kit)) === 'AGENT') await kit.control.remove('assignments', id);
        return service(request);
      },
    ),
  },
  'assignments.create.refused-changes-nothing': {
    ...Object.fromEntries(
      [
        'duplicate',
        'agent-number-taken',
        'unknown-user',
        'invalid-value',
        'required-field',
        'unknown-experience',
        'unknown-target',
        'read-only-target',
      ].map((rule) => [`Keeps what ${rule} refuses.`, keep(`assignments.create.${rule}`)]),
    ),
    'Removes what is assigned when it refuses a duplicate.': removeOthers('assignments.create.duplicate'),
    'Removes what is assigned when it refuses a number of an AGENT Experience.': removeOthers('assignments.create.agent-number-taken'),
    'Touches the assignment when it refuses a duplicate.': touchDuplicate,
    'Creates without the scope, and refuses.': changeRefusal('auth.missing-scope', CREATE, async (reply, request, service, kit) => {
      await service(await withAllScopes(request, kit));
      return reply;
    }),
  },
} satisfies ByHand;
