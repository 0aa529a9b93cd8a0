import { eventTypes } from '../../src/contract/generated/events.ts';
import { NotTestable, type Providers } from './arrangement.ts';
import type { AssignmentsElsewhere, ConnectionsElsewhere, Subscriptions, UsersElsewhere } from './capabilities-of-events.ts';
import type { Control, Elsewhere } from './control.ts';

/** What the kit's events are looked at with: made by who makes the rest of the suite's world. */
interface World {
  readonly control: Control;
  provider(): Promise<string>;
  /** Who authorized the suite's token. */
  manager(): Promise<string>;
  /** Whether the suite can be reached by the kit where it listens. */
  readonly isHeard: boolean;
  /** A new telephone number of the account. */
  number(accountId: string): Promise<string>;
}

/** How long the suite waits for a kit, in milliseconds. */
const EVENT_MS = 5000;
/** What was sent already when nothing is left to be sent is there. */
const GRACE_MS = 20;
/** By the schedule that the kit repeats by: its first pause, and as long as an event may take. */
const REPEAT_MS: Readonly<Record<string, number>> = { fast: EVENT_MS, standard: 5000 + EVENT_MS };

/** The capabilities for checks of events, at a kit: its control API is the operator, the portal and the platform. */
export function kitEvents({ control, provider, manager, isHeard, number }: World): Providers {
  const connections = (as: Elsewhere): ConnectionsElsewhere => ({
    create: async ({ accountId, experienceId }, state = 'INACTIVE') =>
      (await control.create('connections', { account: accountId, experience: experienceId, state }, as)).id,
    update: (id, state) => control.change('connections', id, { state }, as),
    remove: (id) => control.remove('connections', id, as),
  });
  const assignments = (as: Elsewhere): AssignmentsElsewhere => ({
    create: async ({ experienceId, targetType, targetValue }) =>
      (await control.create('assignments', { experience: experienceId, targetType, target: targetValue }, as)).id,
    remove: (id) => control.remove('assignments', id, as),
  });
  const users = (as: Elsewhere): UsersElsewhere => ({
    create: async (accountId) => (await control.create('users', { account: accountId }, as)).id,
    remove: (id) => control.remove('users', id, as),
  });
  const subscriptions: Subscriptions = {
    create: async ({ experienceId, ...wanted }) => {
      const members = { ...wanted, provider: await provider(), ...(experienceId && { experience: experienceId }) };
      return (await control.create('subscriptions', members)).id;
    },
    remove: (id) => control.remove('subscriptions', id),
  };
  async function repeatMs(): Promise<number | undefined> {
    const { retries } = await control.settings();
    return REPEAT_MS[String(retries ?? (await control.decisions())['events.delivery.retry-schedule'])];
  }
  return {
    async subscriptions() {
      // In strict mode nothing is delivered to this machine.
      if (!isHeard || (await control.settings()).destinations === 'strict') throw new NotTestable('subscriptions');
      return subscriptions;
    },
    'portal.connections': () => connections('portal'),
    'portal.assignments': () => assignments('portal'),
    'portal.users': () => users('portal'),
    'platform.connections': () => connections('platform'),
    'platform.assignments': () => assignments('platform'),
    'platform.accounts': () => ({
      async create() {
        const { id } = await control.create('accounts', { name: 'Another suite account' });
        await control.change('principals', await manager(), { accounts: { [id]: 'manage' } });
        return id;
      },
      remove: (id) => control.remove('accounts', id),
    }),
    'platform.numbers': () => ({ create: number, remove: (telephoneNumber) => control.remove('telephoneNumbers', telephoneNumber) }),
    'events.patience': () => ({ eventMs: EVENT_MS, graceMs: GRACE_MS }),
    'events.repeats': async () => {
      const ms = await repeatMs();
      // A kit that was told not to repeat is not one to judge by how it repeats.
      if (ms === undefined) throw new NotTestable('events.repeats');
      return ms;
    },
    'events.tls': () => 'own',
    'events.reach': () => async (destinationUrl) => {
      const id = await subscriptions.create({ destinationUrl, types: eventTypes });
      try {
        return await control.knock(id);
      } finally {
        await subscriptions.remove(id);
      }
    },
    'events.idle': () => async (subscriptionId) => (await control.pending(subscriptionId)) === 0,
    'events.now': () => control.now,
    'events.sent-now': async () => {
      const decisions = await control.decisions();
      const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
      return isSigned && decisions['events.delivery.signed-timestamp'] === 'wall-time' ? async () => Date.now() : control.now;
    },
    'experience.facts': () => async (experienceId) => {
      const { name, provider: owner } = (await control.find('experiences', experienceId)) ?? {};
      const { id } = (await control.find('providers', String(owner))) ?? {};
      return { name: String(name), providerId: String(id) };
    },
  };
}
