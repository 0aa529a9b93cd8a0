import type { Providers } from './arrangement.ts';
import type { Elsewhere } from './capabilities.ts';
import type { AssignmentsElsewhere, ConnectionsElsewhere } from './capabilities-of-events.ts';
import type { HookCalls } from './hook-calls.ts';

/** What hooks give for checks of events: who makes something removes it, so nothing is left at the end. */
export function hookEvents(hooks: HookCalls): Providers {
  const connections = (who: 'portal' | 'platform'): ConnectionsElsewhere => ({
    create: (pair, state = 'INACTIVE') => hooks.ask(`${who}.connections.create`, { ...pair, state }),
    update: async (connectionId, state) => void (await hooks.ask(`${who}.connections.update`, { connectionId, state })),
    remove: async (connectionId) => void (await hooks.ask(`${who}.connections.remove`, { connectionId })),
  });
  const assignments = (who: 'portal' | 'platform'): AssignmentsElsewhere => ({
    create: (wanted) => hooks.ask(`${who}.assignments.create`, wanted),
    remove: async (assignmentId) => void (await hooks.ask(`${who}.assignments.remove`, { assignmentId })),
  });
  const given: Omit<Elsewhere, 'platform.users'> = {
    'portal.connections': connections('portal'),
    'platform.connections': connections('platform'),
    'portal.assignments': assignments('portal'),
    'platform.assignments': assignments('platform'),
    'portal.users': {
      create: (accountId) => hooks.ask('portal.users.create', { accountId }),
      remove: async (userId) => void (await hooks.ask('portal.users.remove', { userId })),
    },
    'platform.accounts': {
      create: () => hooks.ask('platform.accounts.create', {}),
      remove: async (accountId) => void (await hooks.ask('platform.accounts.remove', { accountId })),
    },
    'platform.numbers': {
      create: (accountId) => hooks.ask('platform.numbers.create', { accountId }),
      remove: async (telephoneNumber) => void (await hooks.ask('platform.numbers.remove', { telephoneNumber })),
    },
  };
  const there = Object.entries(given).filter(([who]) => hooks.has(`${who as keyof typeof given}.create`));
  return {
    ...Object.fromEntries(there.map(([who, others]) => [who, () => others])),
    ...(hooks.has('subscriptions.create') && {
      subscriptions: () => ({
        create: (wanted) => hooks.ask('subscriptions.create', wanted),
        remove: async (subscriptionId) => void (await hooks.ask('subscriptions.remove', { subscriptionId })),
      }),
    }),
  };
}
