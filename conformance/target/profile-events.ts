import type { Capabilities } from './capabilities.ts';
import type { ProfileEvents } from './profile.ts';
import type { ReceiverSettings } from './target-settings.ts';

const PATIENCE_S = 30;
const GRACE_S = 2;

type Given = { readonly [C in 'subscription' | (`events.${string}` & keyof Capabilities)]?: Capabilities[C] | undefined };

/** What a profile gives of events. */
export function profileEvents(given: ProfileEvents | undefined): Given {
  if (given === undefined) return {};
  const { receiver, subscription, patienceSeconds = PATIENCE_S, graceSeconds = GRACE_S, repeatsWithinSeconds } = given;
  return {
    subscription: subscription && { subscriptionId: subscription.id, path: subscription.path },
    'events.patience': { eventMs: patienceSeconds * 1000, graceMs: graceSeconds * 1000 },
    'events.repeats': repeatsWithinSeconds === undefined ? undefined : repeatsWithinSeconds * 1000,
    'events.tls': receiver.publicUrl.startsWith('https:') ? 'public' : undefined,
    // A target without a clock of its own has wall time.
    'events.now': async () => Date.now(),
    'events.sent-now': async () => Date.now(),
  };
}

/** Where the suite listens for a profile's target. */
export function receiverSettings({ receiver: { publicUrl, listen } }: ProfileEvents): ReceiverSettings {
  const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(listen) ?? [];
  return { host, port: Number(port), publicUrl: publicUrl.replace(/\/+$/, '') };
}
