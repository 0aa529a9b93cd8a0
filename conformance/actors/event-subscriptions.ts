import { type EventType, eventTypes } from '../../src/contract/generated/events.ts';
import { assignmentEvent, connectionEvent } from '../expect/event.ts';
import type { Capabilities, Capability } from '../target/capabilities.ts';
import type { Cleanup, Created } from '../target/cleanup.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Assignments } from './assignments.ts';
import type { Connections } from './connections.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { type Mailbox, type Receivers, whyUnreachable } from './receiver.ts';

/** The events that a subscription gets. Default: all types of events, for every Experience of the provider. */
interface Coverage {
  readonly experienceId?: string | undefined;
  readonly types?: readonly EventType[];
}

/** Subscriptions for the running check. After the check, the created subscriptions are removed. */
export type Events = Awaited<ReturnType<typeof createEvents>>['events'];

interface Parts {
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly receivers: Receivers;
  /**
   * Returns the destination URL of a subscription whose deliveries must arrive at `url`. The two URLs differ if a proxy forwards the
   * deliveries.
   */
  readonly destinationFor: (url: string) => string;
  readonly cleanup: Cleanup;
  readonly connections: Connections;
  readonly assignments: Assignments;
}

/**
 * For each set of receivers, the reason why deliveries do not arrive. The reason is determined only once, because it is the same for all
 * checks.
 */
const reachability = new WeakMap<Receivers, Promise<string | undefined>>();

function reachabilityOf(receivers: Receivers, reach: Capabilities['events.reach']): Promise<string | undefined> {
  const known = reachability.get(receivers) ?? receivers.configured().then((receiver) => whyUnreachable(receiver, reach));
  reachability.set(receivers, known);
  return known;
}

/** @property close removes the subscriptions. Call it before the cleanup, so that the target does not deliver the events of the cleanup. */
export async function createEvents(parts: Parts) {
  const { need, has, receivers, destinationFor, cleanup, connections, assignments } = parts;
  const isShared = has('subscription') && !has('subscriptions');
  // Checked before anything is created, because a check that cannot receive events is not testable.
  await need(isShared ? 'subscription' : 'subscriptions', 'events.patience');
  const why = has('events.reach') ? await reachabilityOf(receivers, await need('events.reach')) : undefined;
  if (why !== undefined) notTestable(`the target does not reach the receiver: ${why}`);
  const mailboxes: Mailbox[] = [];
  const inboxes: Inbox[] = [];
  const created: Created[] = [];

  async function open(mailbox: Mailbox, subscriptionId: string, { experienceId, types = eventTypes }: Coverage = {}): Promise<Inbox> {
    mailboxes.push(mailbox);
    const idle = has('events.idle') ? await need('events.idle') : undefined;
    const inbox = createInbox({
      mailbox,
      subscriptionId,
      patience: await need('events.patience'),
      isNarrow: experienceId !== undefined || types.length < eventTypes.length,
      all: inboxes,
      requireBound: () => need('events.delivered-within'),
      isIdle: idle && (() => idle(subscriptionId)),
      async makeChange() {
        if (!types.includes('experience.assignment.created')) return connectionEvent('created', (await connections.make()).id);
        return assignmentEvent('created', (await assignments.make(experienceId === undefined ? {} : { experienceId })).id);
      },
    });
    inboxes.push(inbox);
    return inbox;
  }

  async function subscribe({ experienceId, types = eventTypes }: Coverage, receiver = receivers.configured()): Promise<Inbox> {
    const subscriptions = await need('subscriptions', 'events.patience');
    const mailbox = (await receiver).mailbox();
    const id = await subscriptions.create({ destinationUrl: destinationFor(mailbox.url), experienceId, types });
    created.push(cleanup.add(`subscription ${id}`, () => subscriptions.remove(id)));
    return open(mailbox, id, { experienceId, types });
  }

  async function shared(): Promise<Inbox> {
    const { id, path } = await need('subscription', 'events.patience');
    return open((await receivers.configured()).mailbox(path), id);
  }

  // The shared inbox is opened only once per check, because a path of the receiver can have only one inbox.
  let sharedInbox: Promise<Inbox> | undefined;
  /** Returns an inbox for events of all types, for every Experience of the provider. */
  const subscribed = () => {
    if (!isShared) return subscribe({});
    sharedInbox ??= shared();
    return sharedInbox;
  };
  return {
    events: {
      subscribed,
      /**
       * Creates a subscription. Ends the check as not testable if the target does not allow that. `settle` works only if the subscription
       * gets experience.assignment.created or, for every Experience, experience.connection.created.
       */
      subscribe: (coverage: Coverage) => subscribe(coverage),
      /** Returns an inbox at an https URL for events of all types, for every Experience of the provider. */
      subscribedByHttps: async () => ((await need('events.tls')) === 'own' ? subscribe({}, receivers.https()) : subscribed()),
    },
    async close() {
      for (const subscription of created) await subscription.remove();
      for (const mailbox of mailboxes) mailbox.close();
    },
  };
}
