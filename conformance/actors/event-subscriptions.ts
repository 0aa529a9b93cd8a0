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

/** The events that a subscription gets. Default: those of every Experience of the provider, and of all types. */
interface Coverage {
  readonly experienceId?: string | undefined;
  readonly types?: readonly EventType[];
}

/** Subscriptions for the running check. Created subscriptions are removed after the check. */
export type Events = Awaited<ReturnType<typeof createEvents>>['events'];

interface Parts {
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly receivers: Receivers;
  /** The URL to subscribe for deliveries to `url`. It differs from `url` if a proxy forwards the deliveries. */
  readonly destinationFor: (url: string) => string;
  readonly cleanup: Cleanup;
  readonly connections: Connections;
  readonly assignments: Assignments;
}

/** Why deliveries do not arrive, for each set of receivers. It is found out only once, because it does not change between checks. */
const reachability = new WeakMap<Receivers, Promise<string | undefined>>();

function reachabilityOf(receivers: Receivers, reach: Capabilities['events.reach']): Promise<string | undefined> {
  const known = reachability.get(receivers) ?? receivers.configured().then((receiver) => whyUnreachable(receiver, reach));
  reachability.set(receivers, known);
  return known;
}

/** @property close removes the subscriptions, so that the target does not deliver the events of the cleanup */
export async function createEvents(parts: Parts) {
  const { need, has, receivers, destinationFor, cleanup, connections, assignments } = parts;
  const isShared = has('subscription') && !has('subscriptions');
  // These conditions are checked first, so that nothing is created if events cannot be received.
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

  // A check opens it only once, because a path of the receiver has one inbox.
  let sharedInbox: Promise<Inbox> | undefined;
  /** Gets all events: of all types, for every Experience of the provider. */
  const subscribed = () => {
    if (!isShared) return subscribe({});
    sharedInbox ??= shared();
    return sharedInbox;
  };
  return {
    events: {
      subscribed,
      /**
       * Creates a subscription, which not every target allows. `settle` works only if the subscription gets
       * experience.assignment.created or, for every Experience, experience.connection.created.
       */
      subscribe: (coverage: Coverage) => subscribe(coverage),
      /** Gets all events, at an https URL. */
      subscribedByHttps: async () => ((await need('events.tls')) === 'own' ? subscribe({}, receivers.https()) : subscribed()),
    },
    async close() {
      for (const subscription of created) await subscription.remove();
      for (const mailbox of mailboxes) mailbox.close();
    },
  };
}
