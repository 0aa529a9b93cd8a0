import { mergeTests } from '@playwright/test';
import { type EventType, eventTypes } from '../../src/contract/generated/events.ts';
import type { Parts } from '../actors/change-parts.ts';
import { createInbox, type Inbox } from '../actors/inbox.ts';
import { createOthers, type Others } from '../actors/others.ts';
import { createReceivers, type Mailbox, type Receivers } from '../actors/receiver.ts';
import { ofAssignment, ofConnection } from '../expect/wanted.ts';
import type { Capabilities } from '../target/capabilities.ts';
import type { Subscriptions } from '../target/capabilities-of-events.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Target } from '../target/target.ts';
import { test as assignmentsTest } from './assignments-test.ts';
import { test as connectionsTest } from './connections-test.ts';
import { repeated } from './repeated.ts';
import { SILENT } from './test.ts';

/** What a subscription is for: every Experience of the provider and all types, unless said otherwise. */
interface Wanted {
  readonly experienceId?: string | undefined;
  readonly types?: readonly EventType[];
}

/** Subscriptions of the check. Where it makes its own they are removed after it. */
export interface Events {
  /** All types of every Experience of the provider. */
  subscribed(): Promise<Inbox>;
  /**
   * A subscription to what is asked for, which not every target can be asked for. Absence shows only in one that gets experience.assignment.created or,
   * of every Experience, experience.connection.created.
   */
  subscribe(wanted: Wanted): Promise<Inbox>;
  /** As `subscribed`, at an address by https. */
  subscribedByHttps(): Promise<Inbox>;
}

const known = new WeakMap<Target, Promise<string | undefined>>();

/** Why deliveries do not come to the receiver, where they do not: seen once for all checks, as it is nobody's fault but that of who set it up. */
function reached(target: Target, receivers: Receivers, reach: Capabilities['events.reach']): Promise<string | undefined> {
  const found = known.get(target) ?? knocked(receivers, reach);
  known.set(target, found);
  return found;
}

async function knocked(receivers: Receivers, reach: Capabilities['events.reach']): Promise<string | undefined> {
  const mailbox = (await receivers.configured()).mailbox();
  const { origin } = new URL(mailbox.url);
  try {
    const why = await reach(mailbox.url);
    if (why !== undefined) return `a delivery to ${origin} failed (${why})`;
    return mailbox.deliveries.length === 0 ? `somebody else answers at ${origin}` : undefined;
  } finally {
    mailbox.close();
  }
}

/** Playwright's test, for checks of events. */
export const test = repeated(mergeTests(connectionsTest, assignmentsTest)).extend<
  { events: Events; elsewhere: Others; parts: Parts },
  { receivers: Receivers }
>({
  receivers: [
    async ({ target }, use) => {
      const receivers = createReceivers(target.receiver);
      await use(receivers);
      await receivers.close();
    },
    { scope: 'worker', ...SILENT },
  ],
  elsewhere: [
    async ({ need, ledger }, use) => {
      const { others, tidy } = createOthers(need, ledger);
      await use(others);
      await tidy();
    },
    SILENT,
  ],
  parts: [
    async ({ api, need, has, events, elsewhere, connections, assignments }, use) => {
      await use({ api, need, has, events, elsewhere, connections, assignments });
    },
    SILENT,
  ],
  events: [
    async ({ need, has, target, receivers, connections, assignments }, use, testInfo) => {
      const isShared = () => has('subscription') && !has('subscriptions');
      // Nothing is made at a target that nothing can be heard of.
      await need(isShared() ? 'subscription' : 'subscriptions', 'events.patience');
      const why = has('events.reach') ? await reached(target, receivers, await need('events.reach')) : undefined;
      if (why !== undefined) notTestable(`a receiver that the target reaches: ${why}`);
      const mailboxes: Mailbox[] = [];
      const made: { readonly subscriptions: Subscriptions; readonly id: string }[] = [];

      async function opened(mailbox: Mailbox, subscriptionId: string, { experienceId, types = eventTypes }: Wanted = {}): Promise<Inbox> {
        mailboxes.push(mailbox);
        const idle = has('events.idle') ? await need('events.idle') : undefined;
        return createInbox({
          mailbox,
          subscriptionId,
          patience: await need('events.patience'),
          isIdle: idle && (() => idle(subscriptionId)),
          async sentinel() {
            if (!types.includes('experience.assignment.created')) return ofConnection('created', (await connections.make()).id);
            return ofAssignment('created', (await assignments.make(experienceId === undefined ? {} : { experienceId })).id);
          },
        });
      }

      async function subscribe({ experienceId, types = eventTypes }: Wanted, receiver = receivers.configured()): Promise<Inbox> {
        const subscriptions = await need('subscriptions', 'events.patience');
        const mailbox = (await receiver).mailbox();
        const destinationUrl = target.destinationFor(testInfo, mailbox.url);
        const id = await subscriptions.create({ destinationUrl, experienceId, types });
        made.push({ subscriptions, id });
        return opened(mailbox, id, { experienceId, types });
      }

      async function shared(): Promise<Inbox> {
        const { subscriptionId, path } = await need('subscription', 'events.patience');
        return opened((await receivers.configured()).mailbox(path), subscriptionId);
      }

      const subscribed = () => (isShared() ? shared() : subscribe({}));
      await use({
        subscribe: (wanted) => subscribe(wanted),
        subscribed,
        subscribedByHttps: async () => ((await need('events.tls')) === 'own' ? subscribe({}, receivers.https()) : subscribed()),
      });
      for (const { subscriptions, id } of made)
        await subscriptions.remove(id).catch((error: Error) => console.error(`left behind: subscription ${id} (${error.message})`));
      for (const mailbox of mailboxes) mailbox.close();
    },
    SILENT,
  ],
});
