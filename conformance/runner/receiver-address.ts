import type { Profile } from '../../src/contract/generated/profile.ts';
import { fetchWhole } from '../../src/contract/limited-body.ts';
import { type Receiver, startReceiver, testReceiver } from '../actors/receiver.ts';
import type { HookSettings } from '../target/hooks.ts';
import type { ReceiverSettings } from '../target/target-settings.ts';
import { TargetError } from './target-error.ts';

/**
 * Returns the suite's address for deliveries; undefined without a receiver.
 * @throws TargetError if the address cannot be used
 */
export async function resolveReceiver(events: Profile['events'], hooks: HookSettings | undefined): Promise<ReceiverSettings | undefined> {
  // If the profile has no events, ignore its subscription hooks, because several profiles may share a module with hooks.
  if (events === undefined) return undefined;
  const isSubscribed = hooks?.urls['subscriptions.create'] !== undefined || hooks?.module?.hooks.includes('subscriptions.create');
  if (!isSubscribed && events.subscription === undefined)
    throw new TargetError(
      'The profile has events.receiver but no subscription for it: add events.subscription, or the hooks subscriptions.create and .remove.',
    );
  const { listen, publicUrl, reachableFromHere = true } = events.receiver;
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(listen) ?? [];
  const settings = { host, port: Number(port), publicUrl: publicUrl.replace(/\/+$/, '') };
  const receiver = await startReceiverAt(settings, `events.receiver.listen: cannot listen at ${listen}`);
  try {
    const why = reachableFromHere ? await testReceiver(receiver, testDelivery) : undefined;
    if (why === undefined) return settings;
    throw new TargetError(
      `events.receiver: requests to publicUrl do not arrive at ${listen}: ${why}. If only the target can reach publicUrl, set reachableFromHere to false.`,
    );
  } finally {
    await receiver.close();
  }
}

/** @param problem the beginning of an error message @throws TargetError if the suite cannot listen at the address */
export async function startReceiverAt(settings: ReceiverSettings, problem: string): Promise<Receiver> {
  try {
    return await startReceiver(settings);
  } catch (error) {
    throw new TargetError(`${problem} (${(error as Error).message}).`);
  }
}

const PROBE_TIMEOUT_MS = 5000;

/** @returns why the request did not arrive; undefined if it arrived */
function testDelivery(url: string): Promise<string | undefined> {
  return fetchWhole(url, { method: 'POST', redirect: 'manual' }, { timeoutMs: PROBE_TIMEOUT_MS }).then(
    ({ status }) => (status === 204 ? undefined : `another server answered with ${status}`),
    (error: Error) => ((error.cause as Error | undefined)?.message ?? error.message) || 'there was no answer',
  );
}
