import { setTimeout as pause } from 'node:timers/promises';
import { eventTypes } from '../../../src/contract/generated/events.ts';
import { createHookCalls, type HookCalls } from '../../target/hook-calls.ts';
import type { HookSettings } from '../../target/hooks.ts';

const PAUSE_MS = 150;

/**
 * Starts another client of the same tenant, which continually changes accounts, Experiences and users of its own.
 * @param destinationUrl an endpoint that acknowledges the events
 */
export async function startSecondClient(hooks: HookSettings, destinationUrl: string) {
  const { call } = createHookCalls(hooks, 10_000);
  const stopping = new AbortController();
  await call('subscriptions.create', { destinationUrl, types: eventTypes });
  const accountId = await call('platform.accounts.create');
  const changes = repeatChanges(call, accountId, stopping.signal);
  // An error is reported when the client stops.
  changes.catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await changes;
    },
  };
}

async function repeatChanges(call: HookCalls['call'], accountId: string, signal: AbortSignal): Promise<void> {
  try {
    for (;;) for await (const _ of listChanges(call, accountId)) await pause(PAUSE_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Each step is a change. */
async function* listChanges(call: HookCalls['call'], accountId: string) {
  const experienceId = await call('experiences.unconnected');
  const connectionId = await call('portal.connections.create', { accountId, experienceId }, 'ACTIVE');
  yield;
  const assign = (targetType: string, targetValue: string) => call('portal.assignments.create', { experienceId, targetType, targetValue });
  const account = await assign('ACCOUNT', accountId);
  yield;
  const userId = await call('portal.users.create', accountId);
  yield;
  const number = await assign('PHONE_NUMBER', await call('platform.numbers.create', accountId));
  yield await call('portal.connections.update', connectionId, 'INACTIVE');
  yield await call('portal.users.remove', userId);
  yield await call('portal.assignments.remove', number);
  yield await call('portal.assignments.remove', account);
  yield await call('portal.connections.remove', connectionId);
}
