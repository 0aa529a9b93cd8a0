import type { Profile } from '../../src/contract/generated/profile.ts';
import { type Receiver, startReceiver } from '../actors/receiver.ts';
import type { HookSettings } from '../target/hooks.ts';
import type { ReceiverSettings } from '../target/target-settings.ts';
import { TargetError } from './target-error.ts';

/** A receiver that the suite can use, and a warning if the target may not reach it. */
interface Found {
  readonly receiver?: ReceiverSettings;
  readonly notice?: string | undefined;
}

/** The address at which the suite receives deliveries, if the profile has a receiver. @throws TargetError if it cannot be used */
export async function receiverOf(events: Profile['events'], hooks: HookSettings | undefined): Promise<Found> {
  // Without a receiver, hooks that create subscriptions are no mistake: several profiles may share a module of hooks.
  if (events === undefined) return {};
  const isSubscribed = hooks?.urls['subscriptions.create'] !== undefined || hooks?.module?.hooks.includes('subscriptions.create');
  if (!isSubscribed && events.subscription === undefined)
    throw new TargetError(
      'The profile has events.receiver but no subscription for it: add events.subscription, or the hooks subscriptions.create and .remove.',
    );
  const { listen, publicUrl } = events.receiver;
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(listen) ?? [];
  const settings = { host, port: Number(port), publicUrl: publicUrl.replace(/\/+$/, '') };
  const receiver = await startedReceiver(settings, `events.receiver.listen: cannot listen at ${listen}`);
  try {
    const why = await whyUnreachable(receiver);
    if (why === undefined) return { receiver: settings };
    const from = `events.receiver: a request from here to ${settings.publicUrl} does not arrive at ${host}:${port}`;
    const notice = `${from} (${why}). If deliveries from the target do not arrive either, no rule of events can be tested.`;
    return { receiver: settings, notice };
  } finally {
    await receiver.close();
  }
}

/** @param problem the beginning of the error message @throws TargetError if the suite cannot listen at the address of the receiver */
export async function startedReceiver(settings: ReceiverSettings, problem: string): Promise<Receiver> {
  try {
    return await startReceiver(settings);
  } catch (error) {
    throw new TargetError(`${problem} (${(error as Error).message}).`);
  }
}

/** How long a request to the public address may take, in milliseconds. */
const PROBE_MS = 5000;

/**
 * Posts to the public URL of a receiver, as the target will. A proxy may accept requests of the target and refuse those of this machine, so
 * a failure is only a warning.
 * @returns why the request did not arrive; undefined if it arrived
 */
async function whyUnreachable(receiver: Receiver): Promise<string | undefined> {
  const mailbox = receiver.mailbox();
  const why = await fetch(mailbox.url, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ status }) => `another server answered with ${status}`,
    (error: Error) => ((error.cause as Error | undefined)?.message ?? error.message) || 'there was no answer',
  );
  return mailbox.deliveries.length > 0 ? undefined : why;
}
