import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { type Delivered, dataIn, invented, isType, withEvent } from '../delivered.ts';
import { bodyOf, isSuccess, success } from '../exchange.ts';
import { rememberingDeliveries, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { around, connectionOf } from './connections-world.ts';
import { misreporting, type Told } from './events-causes.ts';
import { eventsConnectionsDeleted } from './events-connections-deleted.ts';

type Rule = Exclude<Extract<TestableRuleId['asyncapi'], `events.connection.${string}`>, `events.connection.data.${string}`>;

const CREATED = 'experience.connection.created';
const ACTIVATED = 'experience.connection.activated';
const DEACTIVATED = 'experience.connection.deactivated';

const byApi = ({ cause }: Told) => cause === 'api';
// Nothing at a boundary tells a portal from the platform: what is forgotten of one is forgotten of the other.
const elsewhere = ({ cause }: Told) => cause === 'elsewhere';
const inState = (state: string, where: (told: Told) => boolean) => (told: Told) => told.state === state && where(told);

/** Servers that forget creations. @param who by whom: "through the API" */
function createdSilently(who: string, where: (told: Told) => boolean): readonly [Saboteur, ...Saboteur[]] {
  return [
    misreporting(`Tells a connection that is created ACTIVE ${who} as activated only.`, CREATED, ACTIVATED, inState('ACTIVE', where)),
    misreporting(`Publishes nothing where a connection is created INACTIVE ${who}.`, CREATED, 'lost', inState('INACTIVE', where)),
  ];
}

type Change = typeof ACTIVATED | typeof DEACTIVATED;
const otherOf = (type: Change) => (type === ACTIVATED ? DEACTIVATED : ACTIVATED);

function updatedSilently(type: Change): readonly [Saboteur, ...Saboteur[]] {
  return [
    misreporting(`Publishes no ${type} for updates through the API.`, type, 'lost', byApi),
    misreporting(`Publishes ${type} for the first such update of a connection only.`, type, 'lost', ({ times }) => times > 1),
    rememberingDeliveries(`Sends the ${type} that it published first again where a connection changes so a second time.`, () => {
      const firsts = new Map<unknown, Delivered>();
      return (delivery, subscriber) => {
        if (!isType(delivery, type)) return subscriber(delivery);
        const { connectionId } = dataIn(delivery);
        const first = firsts.get(connectionId) ?? delivery;
        firsts.set(connectionId, first);
        return subscriber(first);
      };
    }),
    misreporting(`Publishes ${otherOf(type)} instead of ${type} for updates through the API.`, type, otherOf(type), byApi),
  ];
}

function changedSilently(type: Change): readonly [Saboteur, ...Saboteur[]] {
  return [
    misreporting(`Publishes ${type} for updates through the API only.`, type, 'lost', elsewhere),
    misreporting(`Publishes ${otherOf(type)} instead of ${type} where the state is changed elsewhere.`, type, otherOf(type), elsewhere),
  ];
}

/** Servers that publish whatever the update changes. */
function toldAgain(type: Change): readonly [Saboteur, ...Saboteur[]] {
  const state = type === ACTIVATED ? 'ACTIVE' : 'INACTIVE';
  const telling = (does: string, when: 'before' | 'after' | 'long ago', answered?: 200) =>
    around('updateExperienceConnection', does, async (request, service, behind) => {
      const connection = bodyOf(request).state === state ? await connectionOf(request, behind) : undefined;
      const isSame = connection?.state === state;
      const tell = async () => {
        const made = await invented(behind, type, { ...connection, connectionId: connection?.id });
        await behind.deliver(when === 'long ago' ? withEvent(made, { timestamp: connection?.updatedAt }) : made);
      };
      if (isSame && when === 'before') await tell();
      const reply = await service(request);
      if (isSame && when !== 'before' && !isSuccess(reply)) await tell();
      return isSame && answered !== undefined ? success(answered, connection) : reply;
    });
  return [
    telling(`Publishes ${type} whenever ${state} is asked for, before it looks at the connection.`, 'before'),
    telling(`Publishes ${type} where it refuses ${state}, as of the time when the connection became so.`, 'long ago'),
    telling(`Takes an update to ${state} for a change where it is none, and publishes ${type}.`, 'after', 200),
  ];
}

/** Servers that do not publish what becomes of connections, or publish what did not. */
export const eventsConnections: SaboteursOf<Rule> = {
  'events.connection.created.on-create': [
    misreporting('Publishes nothing where a connection is created through the API.', CREATED, 'lost', byApi),
    ...createdSilently('through the API', byApi),
  ],
  'events.connection.created.on-portal-create': createdSilently('elsewhere than through the API', elsewhere),
  'events.connection.created.on-platform-create': createdSilently('by somebody else than the provider', elsewhere),
  'events.connection.activated.on-update': updatedSilently(ACTIVATED),
  'events.connection.activated.on-portal-action': changedSilently(ACTIVATED),
  'events.connection.activated.on-platform-change': changedSilently(ACTIVATED),
  'events.connection.activated.not-when-already-active': toldAgain(ACTIVATED),
  'events.connection.deactivated.on-update': updatedSilently(DEACTIVATED),
  'events.connection.deactivated.on-portal-action': changedSilently(DEACTIVATED),
  'events.connection.deactivated.on-platform-change': changedSilently(DEACTIVATED),
  'events.connection.deactivated.not-when-already-inactive': toldAgain(DEACTIVATED),
  ...eventsConnectionsDeleted,
};
