import { type EventType, eventTypes } from '../../src/contract/generated/events.ts';
import { matchAssignmentEvent, matchConnectionEvent } from '../expect/event.ts';
import type { Capabilities, Capability, Need } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import type { Cleanup, CreatedEntity } from '../target/cleanup.ts';
import type { Assignments } from './assignments.ts';
import type { Connections } from './connections.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { type Mailbox, type Receivers, testReceiver } from './receiver.ts';

/** Default: all event types, for all the provider's Experiences. */
interface SubscriptionFilter {
  readonly experienceId?: string | undefined;
  readonly types?: readonly EventType[];
}

/** Creates subscriptions for the running check. They are removed after the check. */
export type Events = Awaited<ReturnType<typeof createEventSubscriptions>>['events'];

interface EventsSettings {
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly receivers: Receivers;
  /** Returns a destination URL whose deliveries arrive at `url`. The two URLs differ if there is a proxy. */
  readonly destinationFor: (url: string) => string;
  readonly cleanup: Cleanup;
  readonly connections: Connections;
  readonly assignments: Assignments;
}

/** Caches the results of testReceiver: the reason why deliveries do not arrive, or undefined. */
const unreachableReasons = new WeakMap<Receivers, Promise<string | undefined>>();

function findUnreachableReason(receivers: Receivers, reach: Capabilities['events.reach']): Promise<string | undefined> {
  const known = unreachableReasons.get(receivers) ?? receivers.getConfiguredReceiver().then((receiver) => testReceiver(receiver, reach));
  unreachableReasons.set(receivers, known);
  return known;
}

/** Call `close` before the cleanup, so that the cleanup's changes publish no events to the subscriptions. */
export async function createEventSubscriptions(settings: EventsSettings) {
  const { need, has, receivers, destinationFor, cleanup, connections, assignments } = settings;
  const isShared = has('subscription') && !has('subscriptions');
  // Require these capabilities before anything is created, because the check is not testable without them.
  await need(isShared ? 'subscription' : 'subscriptions', 'events.patience');
  const why = has('events.reach') ? await findUnreachableReason(receivers, await need('events.reach')) : undefined;
  if (why !== undefined) endAsNotTestable(`the target does not reach the receiver: ${why}`);
  const mailboxes: Mailbox[] = [];
  const inboxes: Inbox[] = [];
  const created: CreatedEntity[] = [];

  async function openInbox(
    mailbox: Mailbox,
    subscriptionId: string,
    { experienceId, types = eventTypes }: SubscriptionFilter = {},
  ): Promise<Inbox> {
    mailboxes.push(mailbox);
    const idle = has('events.idle') ? await need('events.idle') : undefined;
    const inbox = createInbox({
      mailbox,
      subscriptionId,
      patience: await need('events.patience'),
      isNarrow: experienceId !== undefined || types.length < eventTypes.length,
      all: inboxes,
      requireDeliveryTime: () => need('events.delivered-within'),
      isIdle: idle && (() => idle(subscriptionId)),
      async makeChange() {
        if (!types.includes('experience.assignment.created'))
          return matchConnectionEvent('created', (await connections.createOrThrow()).id);
        return matchAssignmentEvent('created', (await assignments.createOrThrow(experienceId === undefined ? {} : { experienceId })).id);
      },
    });
    inboxes.push(inbox);
    return inbox;
  }

  async function subscribe(
    { experienceId, types = eventTypes }: SubscriptionFilter,
    receiver = receivers.getConfiguredReceiver(),
  ): Promise<Inbox> {
    const subscriptions = await need('subscriptions', 'events.patience');
    const mailbox = (await receiver).openMailbox();
    const id = await subscriptions.create({ destinationUrl: destinationFor(mailbox.url), experienceId, types });
    created.push(cleanup.add(`subscription ${id}`, () => subscriptions.remove(id)));
    return openInbox(mailbox, id, { experienceId, types });
  }

  async function openSharedInbox(): Promise<Inbox> {
    const { id, path } = await need('subscription', 'events.patience');
    return openInbox((await receivers.getConfiguredReceiver()).openMailbox(path), id);
  }

  // Open the shared inbox once, because a receiver path can have only one inbox.
  let sharedInbox: Promise<Inbox> | undefined;
  const openDefaultInbox = isShared ? () => (sharedInbox ??= openSharedInbox()) : () => subscribe({});
  return {
    events: {
      openDefaultInbox,
      /** For `Inbox.settle`, subscribe to experience.assignment.created, or to experience.connection.created without an experienceId. */
      subscribe: (coverage: SubscriptionFilter) => subscribe(coverage),
      openHttpsInbox: async () => ((await need('events.tls')) === 'own' ? subscribe({}, receivers.getHttpsReceiver()) : openDefaultInbox()),
    },
    async close() {
      for (const subscription of created) await subscription.remove();
      for (const mailbox of mailboxes) mailbox.close();
    },
  };
}
