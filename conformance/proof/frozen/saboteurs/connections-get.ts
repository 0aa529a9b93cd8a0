import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { problem, success } from '../exchange.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { notFound } from './connections-not-found.ts';
import { invented } from './connections-world.ts';

/** Servers that tell otherwise than by 404 that a connection is not to be had. */
export const connectionsGet = {
  'connections.get.not-found': [
    notFound('getExperienceConnection', 'hidden', 'Refuses to show a connection that the caller has no access to with 403.', () =>
      problem(403),
    ),
    notFound('getExperienceConnection', 'hidden', 'Shows a connection that the caller has no access to.', (connection) =>
      success(200, connection),
    ),
    notFound('getExperienceConnection', 'missing', 'Answers for a connection that does not exist with 410.', () => problem(410)),
    notFound('getExperienceConnection', 'missing', 'Answers for a connection that does not exist with null.', () => success(200, null)),
    notFound('getExperienceConnection', 'missing', 'Shows a connection that does not exist.', (_, { path }) =>
      success(200, invented({ id: path.experienceConnectionId })),
    ),
    notFound('getExperienceConnection', 'no-uuid', 'Refuses an id that is not a UUID with 400.', () => problem(400)),
    notFound('getExperienceConnection', 'no-uuid', 'Shows a connection for an id that is not a UUID.', () => success(200, invented())),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
