import { startReceiver } from '../actors/receiver.ts';
import type { HookSettings } from '../target/hooks.ts';
import type { ProfileEvents } from '../target/profile.ts';
import type { ReceiverSettings } from '../target/target-settings.ts';
import { TargetError } from './target-error.ts';

/** Where the suite receives deliveries, if the profile has events. @throws TargetError */
export async function receiverOf(
  events: ProfileEvents | undefined,
  hooks: HookSettings | undefined,
): Promise<ReceiverSettings | undefined> {
  // Hooks that serve several profiles may create subscriptions although this profile has no receiver.
  if (events?.receiver === undefined) return undefined;
  const isSubscribed = hooks?.urls['subscriptions.create'] !== undefined || hooks?.module?.hooks.includes('subscriptions.create');
  if (!isSubscribed && events.subscription === undefined)
    throw new TargetError(
      'Nothing subscribes events.receiver: add events.subscription to the profile, or the hooks subscriptions.create and .remove.',
    );
  return checkedReceiver(receiverSettings(events.receiver), `events.receiver.listen: cannot listen at ${events.receiver.listen}`);
}

function receiverSettings({ publicUrl, listen }: NonNullable<ProfileEvents['receiver']>): ReceiverSettings {
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(listen) ?? [];
  return { host, port: Number(port), publicUrl: publicUrl.replace(/\/+$/, '') };
}

/** Makes sure that the suite can listen there. @param problem begins the message of the error. @throws TargetError */
export async function checkedReceiver(receiver: ReceiverSettings, problem: string): Promise<ReceiverSettings> {
  try {
    await (await startReceiver(receiver)).close();
    return receiver;
  } catch (error) {
    throw new TargetError(`${problem} (${(error as Error).message}).`);
  }
}

/** How long a request to the public address may take, in milliseconds. */
const PROBE_MS = 5000;

/**
 * Posts to the public address of a receiver, as the target will. A proxy in between may let the target pass and not this machine, so the result is
 * only a warning.
 * @returns the warning; undefined if the request arrived
 */
export async function unreached(settings: ReceiverSettings): Promise<string | undefined> {
  const receiver = await startReceiver(settings);
  try {
    const mailbox = receiver.mailbox();
    const answer = await fetch(mailbox.url, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) }).then(
      ({ status }) => `another server answered with ${status}`,
      (error: Error) => ((error.cause as Error | undefined)?.message ?? error.message) || 'there was no answer',
    );
    if (mailbox.deliveries.length > 0) return undefined;
    const from = `events.receiver: a request from here to ${settings.publicUrl} does not arrive at ${settings.host}:${settings.port}`;
    return `${from} (${answer}). If deliveries from the target do not arrive either, no rule of events can be tested.`;
  } finally {
    await receiver.close();
  }
}
