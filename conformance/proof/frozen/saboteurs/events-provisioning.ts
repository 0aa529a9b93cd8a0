import { randomUUID } from 'node:crypto';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { dataIn, eventIn, invented, isType, withDeliveryHeaders, withEvent } from '../delivered.ts';
import { bodyOf, type Json } from '../exchange.ts';
import {
  ACKNOWLEDGED,
  atBothBoundaries,
  type Behind,
  remembering,
  rememberingDeliveries,
  type Saboteur,
  type SaboteursOf,
} from '../saboteur.ts';
import { misreporting } from './events-causes.ts';

type Rule = Extract<TestableRuleId['asyncapi'], `events.provisioning.${'created' | 'deleted'}.${string}`>;

const CREATED = 'provisioning.user.created';
const DELETED = 'provisioning.user.deleted';

/** Nothing at a boundary tells a portal from the platform: what is forgotten of one is forgotten of the other. */
const CREATED_SILENTLY: readonly [Saboteur, ...Saboteur[]] = [
  misreporting('Publishes nothing where a user is created.', CREATED, 'lost'),
  misreporting('Publishes the first user of an account only.', CREATED, 'lost', ({ data, first }) => !first(data.accountId)),
];

const DELETED_SILENTLY: readonly [Saboteur, ...Saboteur[]] = [
  misreporting('Publishes nothing where a user is deleted.', DELETED, 'lost'),
  rememberingDeliveries('Publishes the deletion only of users whose creation it published.', () => {
    const told = new Set<unknown>();
    return async (delivery, subscriber) => {
      const { userId } = dataIn(delivery);
      if (isType(delivery, CREATED)) told.add(userId);
      return isType(delivery, DELETED) && !told.has(userId) ? ACKNOWLEDGED : subscriber(delivery);
    };
  }),
];

async function tell(type: typeof CREATED | typeof DELETED, user: Json, experienceId: unknown, behind: Behind): Promise<void> {
  const accountId = (await behind.control.find('accounts', user.account))?.id;
  await behind.deliver(await invented(behind, type, { userId: user.id, accountId, experienceId }));
}

/** More than are created at the same time by whatever else goes on. */
const NEWEST = 10;

const CREATED_ANYWHERE = remembering('Publishes users that are created in whatever account.', () => {
  const told = new Set<unknown>();
  return async (request, service, behind) => {
    if (request.operation !== 'createExperienceAssignment') return service(request);
    const users: Json[] = [...(await behind.control.all('users'))];
    const newest = users.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, NEWEST);
    for (const user of newest.filter(({ id }) => !told.has(id))) {
      told.add(user.id);
      await tell(CREATED, user, bodyOf(request).experienceId, behind);
    }
    return service(request);
  };
});

const DELETED_ANYWHERE = remembering('Publishes users that are deleted in whatever account.', () => {
  let known: readonly Json[] = [];
  return async (request, service, behind) => {
    const users: readonly Json[] = await behind.control.all('users');
    const left = new Set(users.map(({ id }) => id));
    for (const user of known.filter(({ id }) => !left.has(id))) await tell(DELETED, user, bodyOf(request).experienceId, behind);
    known = users;
    return service(request);
  };
});

/** A server that publishes users for further Experiences. @param where for those of which assignments of accounts, as they were asked for */
function alsoFor(type: typeof CREATED | typeof DELETED, does: string, where: (assignment: Json, accountId: unknown) => boolean): Saboteur {
  return atBothBoundaries(does, () => {
    const assigned: Json[] = [];
    return {
      async requests(request, service) {
        const body = request.operation === 'createExperienceAssignment' ? bodyOf(request) : {};
        if (body.targetType === 'ACCOUNT') assigned.push(body);
        return service(request);
      },
      async deliveries(delivery, subscriber) {
        const reply = await subscriber(delivery);
        const { scope, type: told } = eventIn(delivery);
        const { accountId } = dataIn(delivery);
        const others = assigned.filter((each) => told === type && each.experienceId !== scope.experienceId && where(each, accountId));
        for (const { experienceId } of others)
          await subscriber(withDeliveryHeaders(withEvent(delivery, { scope: { experienceId } }), { 'webhook-id': randomUUID() }));
        return reply;
      },
    };
  });
}

const ofAny = () => true;
const ofThisOnce = (assignment: Json, accountId: unknown) => assignment.targetValue === accountId;

/** Servers that do not publish users of accounts that are assigned, or publish those of others. */
export const eventsProvisioning: SaboteursOf<Rule> = {
  'events.provisioning.created.on-platform-create': CREATED_SILENTLY,
  'events.provisioning.created.on-portal-create': CREATED_SILENTLY,
  'events.provisioning.created.only-assigned-accounts': [
    CREATED_ANYWHERE,
    alsoFor(CREATED, 'Publishes a user who is created for every Experience that is assigned to some account.', ofAny),
    alsoFor(CREATED, 'Goes on publishing users who are created for an Experience that the account was assigned to before.', ofThisOnce),
  ],
  'events.provisioning.deleted.on-platform-delete': DELETED_SILENTLY,
  'events.provisioning.deleted.on-portal-delete': DELETED_SILENTLY,
  'events.provisioning.deleted.only-assigned-accounts': [
    DELETED_ANYWHERE,
    alsoFor(DELETED, 'Publishes a user who is deleted for every Experience that is assigned to some account.', ofAny),
    alsoFor(DELETED, 'Goes on publishing users who are deleted for an Experience that the account was assigned to before.', ofThisOnce),
  ],
};
