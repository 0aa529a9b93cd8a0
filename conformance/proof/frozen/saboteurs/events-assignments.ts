import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { dataIn, isType } from '../delivered.ts';
import { bodyOf, isSuccess, type Json } from '../exchange.ts';
import { ACKNOWLEDGED, atBothBoundaries, reddening, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { misreporting, type Told } from './events-causes.ts';

type Rule = Extract<TestableRuleId['asyncapi'], `events.assignment.${'created' | 'deleted'}.${string}`>;

const CREATED = 'experience.assignment.created';
const DELETED = 'experience.assignment.deleted';

const by =
  (cause: Told['cause'], targetType?: string) =>
  (told: Told): boolean =>
    told.cause === cause && (targetType === undefined || told.data.targetType === targetType);
const allButFirst =
  (cause: 'account' | 'target', targetType: string) =>
  (told: Told): boolean =>
    by(cause, targetType)(told) && !told.first(told.data.targetValue);

/** Servers that forget what is assigned, or not assigned any more, of one type of targets. @param how "in a portal" */
function silently(type: typeof CREATED | typeof DELETED, cause: Told['cause'], how: string): readonly [Saboteur, ...Saboteur[]] {
  const forgetting = (targetType: string) =>
    misreporting(`Publishes no ${type} of a target of type ${targetType} ${how}.`, type, 'lost', by(cause, targetType));
  return [forgetting('ACCOUNT'), forgetting('PHONE_NUMBER'), forgetting('USER')];
}

/** Nothing at a boundary tells a portal from the platform: what is forgotten of one is forgotten of the other. */
const ELSEWHERE = 'where it is done elsewhere than through the API';

/** A server whose assignments to such targets go with their connection, and nobody is told. */
function takingAlong(does: string, ...targetTypes: readonly string[]): Saboteur {
  return atBothBoundaries(does, () => {
    const [connected, assigned, taken] = [new Map<unknown, unknown>(), [] as Json[], new Set<unknown>()];
    return {
      async requests(request, service, { control }) {
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        const body = bodyOf(reply);
        if (request.operation === 'createExperienceConnection') connected.set(body.id, body.experienceId);
        if (request.operation === 'createExperienceAssignment' && targetTypes.includes(body.targetType)) assigned.push(body);
        if (request.operation !== 'deleteExperienceConnection') return reply;
        const experienceId = connected.get(request.path.experienceConnectionId);
        for (const { id } of assigned.filter((each) => each.experienceId === experienceId)) {
          taken.add(id);
          await control.remove('assignments', id);
        }
        return reply;
      },
      deliveries: async (delivery, subscriber) =>
        isType(delivery, DELETED) && taken.has(dataIn(delivery).assignmentId) ? ACKNOWLEDGED : subscriber(delivery),
    };
  });
}

function assignedSilently(targetType: string): readonly [Saboteur, Saboteur] {
  const where = ({ data }: Told) => data.targetType === targetType;
  return [
    misreporting(`Publishes nothing where an Experience is assigned to a target of type ${targetType}.`, CREATED, 'lost', where),
    misreporting(`Tells an assignment to a target of type ${targetType} as a connection.`, CREATED, 'experience.connection.created', where),
  ];
}

/** Checks of deliveries look at whichever event comes easily, and that is this one. */
const mostSeen = (server: Saboteur) =>
  reddening(20, 'What is looked at in most checks of deliveries is the event of a number that is assigned through the API.', server);
const [numberLost, numberTold] = assignedSilently('PHONE_NUMBER');

/** Servers that do not publish what is assigned. */
export const eventsAssignments: SaboteursOf<Rule> = {
  'events.assignment.created.on-create': [
    mostSeen(misreporting('Publishes nothing where an assignment is created through the API.', CREATED, 'lost', by('api'))),
    misreporting('Publishes the first assignment of an Experience only.', CREATED, 'lost', ({ data, first }) => !first(data.experienceId)),
  ],
  'events.assignment.created.on-portal-create': silently(CREATED, 'elsewhere', ELSEWHERE),
  'events.assignment.created.on-platform-create': silently(CREATED, 'elsewhere', ELSEWHERE),
  'events.assignment.created.of-account': assignedSilently('ACCOUNT'),
  'events.assignment.created.of-phone-number': [mostSeen(numberLost), mostSeen(numberTold)],
  'events.assignment.created.of-user': assignedSilently('USER'),
  'events.assignment.deleted.on-delete': silently(DELETED, 'api', 'where it is done through the API'),
  'events.assignment.deleted.on-portal-removal': silently(DELETED, 'elsewhere', ELSEWHERE),
  'events.assignment.deleted.on-platform-removal': silently(DELETED, 'elsewhere', ELSEWHERE),
  'events.assignment.deleted.on-connection-deletion': [
    takingAlong('Takes along what is assigned when a connection goes, and publishes none of it.', 'ACCOUNT', 'USER'),
    takingAlong('Takes along the users that are assigned when a connection goes, and publishes none of it.', 'USER'),
  ],
  'events.assignment.deleted.on-account-deletion': [
    misreporting('Publishes nothing of assignments to an account that is deleted.', DELETED, 'lost', by('account', 'ACCOUNT')),
    misreporting('Publishes one of several assignments to an account that is deleted.', DELETED, 'lost', allButFirst('account', 'ACCOUNT')),
  ],
  'events.assignment.deleted.on-user-deletion': [
    misreporting('Publishes nothing of assignments to a user who is deleted.', DELETED, 'lost', by('target', 'USER')),
    misreporting('Publishes one of several assignments to a user who is deleted.', DELETED, 'lost', allButFirst('target', 'USER')),
  ],
  'events.assignment.deleted.on-number-deletion': [
    misreporting('Publishes nothing of assignments to a number that is deleted.', DELETED, 'lost', by('target', 'PHONE_NUMBER')),
    misreporting(
      'Publishes one of several assignments to a number that is deleted.',
      DELETED,
      'lost',
      allButFirst('target', 'PHONE_NUMBER'),
    ),
  ],
  'events.assignment.deleted.on-account-deletion-of-its-targets': [
    misreporting('Publishes nothing of assignments to users whose account is deleted.', DELETED, 'lost', by('account', 'USER')),
    misreporting('Publishes nothing of assignments to numbers whose account is deleted.', DELETED, 'lost', by('account', 'PHONE_NUMBER')),
  ],
};
