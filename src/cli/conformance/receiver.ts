import { startReceiver } from '../../../conformance/actors/receiver.ts';
import type { HookSettings } from '../../../conformance/target/hooks.ts';
import type { ProfileEvents } from '../../../conformance/target/profile.ts';
import { receiverSettings } from '../../../conformance/target/profile-events.ts';
import type { ReceiverSettings } from '../../../conformance/target/target-settings.ts';
import { UsageError } from '../usage-error.ts';

/** Where the suite will listen, if there is to be something to hear. @throws UsageError */
export async function receiverOf(
  events: ProfileEvents | undefined,
  hooks: HookSettings | undefined,
): Promise<ReceiverSettings | undefined> {
  const isSubscribed = hooks?.urls['subscriptions.create'] !== undefined || hooks?.module?.hooks.includes('subscriptions.create');
  // Hooks that are made for several profiles may subscribe where this one listens to nothing.
  if (events === undefined) return undefined;
  if (!isSubscribed && events.subscription === undefined)
    throw new UsageError(
      'Nobody subscribes events.receiver: add events.subscription to the profile, or the hooks subscriptions.create and .remove.',
    );
  return listeningAt(receiverSettings(events), `events.receiver.listen: nothing can be received at ${events.receiver.listen}`);
}

/** How long what stands at the public address may take, in milliseconds. */
const PROBE_MS = 5000;

/**
 * Posts to the public address of a receiver, as the target will. Whoever stands between may know the target and not this machine: it is a warning.
 * @returns what is said where it does not come; undefined where it does
 */
export async function unreached(settings: ReceiverSettings): Promise<string | undefined> {
  const receiver = await startReceiver(settings);
  try {
    const mailbox = receiver.mailbox();
    const answer = await fetch(mailbox.url, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) }).then(
      ({ status }) => `somebody else answered with ${status}`,
      (error: Error) => ((error.cause as Error | undefined)?.message ?? error.message) || 'nobody answered',
    );
    if (mailbox.deliveries.length > 0) return undefined;
    const from = `events.receiver: what is posted from here to ${settings.publicUrl} does not come to ${settings.host}:${settings.port}`;
    return `${from} (${answer}). If it does not come from the target either, no event is judged: see what stands between.`;
  } finally {
    await receiver.close();
  }
}

/** On every address of this machine, as somebody else knows it by one of them. @throws UsageError */
export function receiverAt(text: string): ReceiverSettings {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'http:' || url.port === '' || url.pathname !== '/' || url.search + url.hash !== '')
    throw new UsageError(`--receiver is an http address with a port and no path, such as http://192.0.2.7:9000, not ${text}.`);
  return { host: '::', port: Number(url.port), publicUrl: url.origin };
}

/** Sees that the suite can listen there. @param problem what is said where it cannot. @throws UsageError where the suite cannot listen there */
export async function listeningAt(receiver: ReceiverSettings, problem: string): Promise<ReceiverSettings> {
  try {
    await (await startReceiver(receiver)).close();
    return receiver;
  } catch (error) {
    throw new UsageError(`${problem} (${(error as Error).message}).`);
  }
}
