import type { JudgedRuleId } from '../../../src/contract/generated/rules.ts';
import { invented, isType } from '../delivered.ts';
import { bodyOf, isSuccess } from '../exchange.ts';
import { delivering, remembering, type SaboteursOf } from '../saboteur.ts';
import { connectionOf } from './connections-world.ts';

/** Servers that do not publish what becomes of connections, or publish what did not. */
export const eventsConnections = {
  'events.connection.created.on-create': [
    delivering('Publishes nothing where a connection is created.', (delivery) =>
      isType(delivery, 'experience.connection.created') ? 'lost' : undefined,
    ),
  ],
  'events.connection.activated.not-when-already-active': [
    remembering('Publishes an activation whenever ACTIVE is asked for.', () => async (request, service, behind) => {
      const reply = await service(request);
      const wanted = request.operation === 'updateExperienceConnection' && bodyOf(request).state === 'ACTIVE';
      if (wanted && !isSuccess(reply)) {
        const connection = await connectionOf(request, behind);
        await behind.deliver(invented('experience.connection.activated', { ...connection, connectionId: connection?.id }));
      }
      return reply;
    }),
  ],
} satisfies Partial<SaboteursOf<JudgedRuleId['asyncapi']>>;
