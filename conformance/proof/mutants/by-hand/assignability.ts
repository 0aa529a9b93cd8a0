import { bodyOf, type Json, problem, success, withMembers } from '../exchange.ts';
import type { ByHand, Start } from '../mutant.ts';
import { accountOfTarget, assignedTo, typeOf } from './assignments-world.ts';
import { changeSuccess, forEachType, TARGET_TYPES } from './world.ts';

const CHECK = 'getExperienceAssignability';

/** Shows other members; undefined leaves the result as it is. */
const show = (members: (result: Json) => Json | undefined): Start =>
  changeSuccess(CHECK, (reply) => {
    const changed = members(bodyOf(reply));
    return changed && withMembers(reply, changed);
  });
const showOf = (type: string, members: Json): Start => show(({ targetType }) => (targetType === type ? members : undefined));

/** Changes the results about targets that do not exist. */
const ofUnknown = (change: (result: Json) => Json | undefined): Start =>
  changeSuccess(CHECK, async (reply, { query }, _, kit) => {
    const changed = (await accountOfTarget(query, kit)) === undefined ? change(bodyOf(reply)) : undefined;
    return changed && withMembers(reply, changed);
  });

interface Types {
  readonly target: string | undefined;
  /** The type of the Experience. */
  readonly own: unknown;
  /** The types of the Experiences that the target is assigned to. */
  readonly others: readonly unknown[];
}

/** Answers false about targets that are assigned to other Experiences. */
const notBeside = (isMeant: (types: Types) => boolean): Start =>
  changeSuccess(CHECK, async (reply, request, service, kit) => {
    const target = request.query.targetType;
    const assigned = await assignedTo(request.query, request, service);
    const others = await Promise.all(assigned.map(({ experienceId }) => typeOf(experienceId, kit)));
    const own = await typeOf(request.path.experienceId, kit);
    return others.length > 0 && isMeant({ target, own, others }) ? withMembers(reply, { assignable: false }) : undefined;
  });

export const assignability = {
  'assignability.shape': {
    'Answers with true or false alone.': changeSuccess(CHECK, (reply) => success(200, bodyOf(reply).assignable)),
    'Leaves assignable out if it is false.': show(({ assignable }) => (assignable ? undefined : { assignable: undefined })),
    'Gives a reason instead of false.': show(({ assignable }) => (assignable ? undefined : { assignable: 'ALREADY_ASSIGNED' })),
    'Gives a list instead of true.': show(({ assignable }) => (assignable ? { assignable: ['anyone'] } : undefined)),
  },
  'assignability.echo': {
    'Shows a number without its plus.': show(({ targetValue }) => ({ targetValue: String(targetValue).replace('+', ' ') })),
    'Shows no targetValue if the target is not assignable.': show(({ assignable }) => (assignable ? undefined : { targetValue: '' })),
  },
  'assignability.unknown-target-false': {
    'Answers null about unknown targets.': ofUnknown(() => ({ assignable: null })),
    'Answers unknown targets with 404.': changeSuccess(CHECK, async (_, { query }, __, kit) =>
      (await accountOfTarget(query, kit)) === undefined ? problem(404) : undefined,
    ),
    ...forEachType('Answers true about every TYPE.', (type) =>
      ofUnknown(({ targetType }) => (targetType === type ? { assignable: true } : undefined)),
    ),
  },
  'assignability.free-target-true': {
    ...Object.fromEntries(TARGET_TYPES.map((type) => [`Answers false about every ${type}.`, showOf(type, { assignable: false })])),
    'Answers false about every target of another Experience.': notBeside(() => true),
    'Answers false about a number of an AGENT Experience to one of another type.': notBeside(
      ({ target, own, others }) => target === 'PHONE_NUMBER' && own !== 'AGENT' && others.includes('AGENT'),
    ),
    'Answers false about a number of another Experience to one of type AGENT.': notBeside(
      ({ target, own }) => target === 'PHONE_NUMBER' && own === 'AGENT',
    ),
    'Answers false about users and accounts of an AGENT Experience to another one.': notBeside(
      ({ target, own, others }) => target !== 'PHONE_NUMBER' && own === 'AGENT' && others.includes('AGENT'),
    ),
  },
} satisfies ByHand;
