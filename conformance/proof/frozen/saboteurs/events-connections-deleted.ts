import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { invented } from '../delivered.ts';
import { isSuccess } from '../exchange.ts';
import type { Saboteur, SaboteursOf } from '../saboteur.ts';
import { around, connectionOf } from './connections-world.ts';
import { misreporting, type Told } from './events-causes.ts';

type Rule = Extract<TestableRuleId['asyncapi'], `events.connection.deleted.${string}`>;

const DELETED = 'experience.connection.deleted';
const DEACTIVATED = 'experience.connection.deactivated';

const by =
  (cause: Told['cause'], state?: 'ACTIVE' | 'INACTIVE') =>
  (told: Told): boolean =>
    told.cause === cause && (state === undefined || told.state === state);

/** Nothing at a boundary tells a portal from the platform: what is forgotten of one is forgotten of the other. */
const REMOVED_SILENTLY: readonly [Saboteur, ...Saboteur[]] = [
  misreporting(
    'Tells an ACTIVE connection that is removed elsewhere as deactivated only.',
    DELETED,
    DEACTIVATED,
    by('elsewhere', 'ACTIVE'),
  ),
  misreporting('Publishes nothing where an INACTIVE connection is removed elsewhere.', DELETED, 'lost', by('elsewhere', 'INACTIVE')),
];

/** A server that publishes a deletion that it refuses. */
function toldThough(does: string, state?: 'ACTIVE' | 'INACTIVE'): Saboteur {
  return around('deleteExperienceConnection', does, async (request, service, behind) => {
    const connection = await connectionOf(request, behind);
    const reply = await service(request);
    if (connection !== undefined && !isSuccess(reply) && (state === undefined || connection.state === state))
      await behind.deliver(await invented(behind, DELETED, { ...connection, connectionId: connection.id }));
    return reply;
  });
}

/** Servers that do not publish that connections go, or publish it of some that stay. */
export const eventsConnectionsDeleted: SaboteursOf<Rule> = {
  'events.connection.deleted.on-delete': [
    misreporting('Publishes nothing where a connection is deleted through the API.', DELETED, 'lost', by('api')),
    misreporting(
      'Tells an ACTIVE connection that is deleted through the API as deactivated only.',
      DELETED,
      DEACTIVATED,
      by('api', 'ACTIVE'),
    ),
    misreporting('Publishes nothing where an INACTIVE connection is deleted through the API.', DELETED, 'lost', by('api', 'INACTIVE')),
  ],
  'events.connection.deleted.on-portal-removal': REMOVED_SILENTLY,
  'events.connection.deleted.on-platform-removal': REMOVED_SILENTLY,
  'events.connection.deleted.on-account-deletion': [
    misreporting('Publishes no deletion of the connections of a deleted account.', DELETED, 'lost', by('account')),
    misreporting(
      'Publishes the deletion of one connection of a deleted account only.',
      DELETED,
      'lost',
      (told) => by('account')(told) && !told.first(told.data.accountId),
    ),
    misreporting('Tells only the ACTIVE connections of a deleted account.', DELETED, 'lost', by('account', 'INACTIVE')),
    misreporting('Tells the connections of a deleted account as deactivated only.', DELETED, DEACTIVATED, by('account')),
  ],
  'events.connection.deleted.on-account-deletion-with-numbers': [
    misreporting(
      'Publishes no deletion of a connection that goes with its account while numbers are assigned.',
      DELETED,
      'lost',
      (told) => by('account')(told) && told.hadNumbers,
    ),
    misreporting(
      'Tells a connection as deactivated only that goes with its account while numbers are assigned.',
      DELETED,
      DEACTIVATED,
      (told) => by('account')(told) && told.hadNumbers,
    ),
  ],
  'events.connection.deleted.not-while-numbers-assigned': [
    toldThough('Publishes the deletion of a connection that it refuses to delete.'),
    toldThough('Publishes the deletion of an INACTIVE connection that it refuses to delete.', 'INACTIVE'),
  ],
};
