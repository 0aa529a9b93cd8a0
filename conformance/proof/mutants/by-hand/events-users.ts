import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import { dataOf, isType, withEvent } from '../delivery.ts';
import { bodyOf, type Json, withHeaders } from '../exchange.ts';
import { ACKNOWLEDGED, type ByHand, type Kit, type Start } from '../mutant.ts';
import { invent } from './events-causes.ts';

const USER_CREATED = 'provisioning.user.created';

const USER_DELETED = 'provisioning.user.deleted';

const onlyPublishedUsers: Start = () => {
  const published = new Set<unknown>();
  return {
    deliveries: async (delivery, subscriber) => {
      const { userId } = dataOf(delivery);
      if (isType(delivery, USER_CREATED)) published.add(userId);
      return isType(delivery, USER_DELETED) && !published.has(userId) ? ACKNOWLEDGED : subscriber(delivery);
    },
  };
};

async function publishUser(type: EventType, user: Json, experienceId: unknown, kit: Kit): Promise<void> {
  const accountId = (await kit.control.find('accounts', user.account))?.id;
  await kit.deliver(await invent(kit, type, { userId: user.id, accountId, experienceId }));
}

/** Publishes new users of every account when something is assigned. Others are created at the same time. */
const newUsersAnywhere: Start = () => {
  const published = new Set<unknown>();
  return {
    requests: async (request, service, kit) => {
      const users: Json[] = request.operation === 'createExperienceAssignment' ? [...(await kit.control.all('users'))] : [];
      const newest = users.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, 10);
      for (const user of newest.filter(({ id }) => !published.has(id))) {
        published.add(user.id);
        await publishUser(USER_CREATED, user, bodyOf(request).experienceId, kit);
      }
      return service(request);
    },
  };
};

/** Publishes deleted users of every account when the next request comes. */
const deletedUsersAnywhere: Start = () => {
  let known: readonly Json[] = [];
  return {
    requests: async (request, service, kit) => {
      const users: readonly Json[] = await kit.control.all('users');
      const left = new Set(users.map(({ id }) => id));
      for (const user of known.filter(({ id }) => !left.has(id))) await publishUser(USER_DELETED, user, bodyOf(request).experienceId, kit);
      known = users;
      return service(request);
    },
  };
};

/** Publishes users for Experiences that are assigned to other accounts, or were assigned to the same one before. */
const usersForOthers =
  (type: typeof USER_CREATED | typeof USER_DELETED, isMeant: (assignment: Json, accountId: unknown) => boolean): Start =>
  () => {
    const assigned: Json[] = [];
    return {
      async requests(request, service) {
        const body = request.operation === 'createExperienceAssignment' ? bodyOf(request) : {};
        if (body.targetType === 'ACCOUNT') assigned.push(body);
        return service(request);
      },
      async deliveries(delivery, subscriber) {
        const reply = await subscriber(delivery);
        if (!isType(delivery, type)) return reply;
        const { scope } = bodyOf(delivery);
        const others = assigned.filter((each) => each.experienceId !== scope.experienceId && isMeant(each, dataOf(delivery).accountId));
        for (const { experienceId } of others)
          await subscriber(withHeaders(withEvent(delivery, { scope: { experienceId } }), { 'webhook-id': randomUUID() }));
        return reply;
      },
    };
  };

const onlyAssigned = (type: typeof USER_CREATED | typeof USER_DELETED) => ({
  'Publishes users of every account.': type === USER_CREATED ? newUsersAnywhere : deletedUsersAnywhere,
  'Publishes users for every Experience that is assigned to an account.': usersForOthers(type, () => true),
  'Publishes users for an Experience that is no longer assigned.': usersForOthers(
    type,
    ({ targetValue }, accountId) => targetValue === accountId,
  ),
});

export const eventsUsers = {
  'events.provisioning.created.only-assigned-accounts': onlyAssigned(USER_CREATED),
  'events.provisioning.deleted.on-platform-delete': { 'Publishes only users whose creation it published.': onlyPublishedUsers },
  'events.provisioning.deleted.only-assigned-accounts': onlyAssigned(USER_DELETED),
} satisfies ByHand;
