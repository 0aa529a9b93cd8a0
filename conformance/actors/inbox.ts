import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../../src/contract/generated/events.ts';
import { RuleBroken, unlessBroken } from '../expect/broken.ts';
import { sameId } from '../expect/same-id.ts';
import { allow } from '../target/allow.ts';
import { bounded } from '../target/bounded.ts';
import type { Patience } from '../target/capabilities.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Delivery, Mailbox, Reaction } from './receiver.ts';

/** A JSON object of a delivery, of any shape: what comes may be wrong in every way. */
export type Members = Readonly<Record<string, unknown>>;

/** What a check waits for: the type of the event, and members of its data and its scope. Ids are the same in any letter case. */
export interface Wanted {
  readonly type?: EventType;
  readonly data?: Members;
  readonly scope?: Members;
}

/** What comes for one subscription. */
export interface Inbox {
  readonly subscriptionId: string;
  /** All that came, in the order in which it came. */
  readonly deliveries: readonly Delivery[];
  /** Those deliveries that are of the event. */
  all(wanted: Wanted): readonly Delivery[];
  /** Waits for an event. @throws RuleBroken where it does not come in time */
  event(wanted: Wanted): Promise<Delivery>;
  /**
   * Waits for what `look` finds in what came.
   * @param expected a clause: "the delivery is sent again". @param ms how long, if not as long as an event may take
   * @throws RuleBroken where it does not come in time
   */
  until<Found>(look: () => Found | undefined, expected: string, ms?: number): Promise<Found>;
  /** Sees that nothing came of the event. Makes a later change and waits for its event first, and then a little: absence is always bounded. @throws RuleBroken */
  none(wanted: Wanted, expected: string): Promise<void>;
  /** Makes a change that says nothing, and waits until it is told, which is acknowledged. @returns what it is told by */
  change(): Promise<Wanted>;
  /** Waits until a later change is told, and a little longer: whatever is to come has come, as far as one can tell. @returns what told of that change */
  settled(): Promise<Delivery>;
  /** How deliveries are answered from now on; where undefined is given, as before: with 204. */
  answer(decide: (delivery: Delivery) => Reaction | undefined): void;
}

interface Parts {
  readonly mailbox: Mailbox;
  readonly subscriptionId: string;
  readonly patience: Patience;
  /** Whether the target says that nothing is left to be sent to the subscription; absent where it does not tell. */
  readonly isIdle?: (() => Promise<boolean>) | undefined;
  /** Makes a change that is told to the subscription. @returns what is waited for */
  readonly sentinel: () => Promise<Wanted>;
}

/** How often a target that can tell is asked whether anything is left, in milliseconds. */
const ASK_EVERY_MS = 100;
/** What stands between the target and the receiver may still be at it, in milliseconds. */
const LAST_MS = 50;

export function createInbox({ mailbox, subscriptionId, patience, isIdle, sentinel }: Parts): Inbox {
  const inbox: Inbox = {
    subscriptionId,
    deliveries: mailbox.deliveries,
    all: (wanted) => mailbox.deliveries.filter((delivery) => isOf(delivery, wanted)),
    event: (wanted) => inbox.until(() => inbox.all(wanted)[0], `${inWords(wanted)} is delivered`),
    async until(look, expected, ms = patience.eventMs) {
      const begun = performance.now();
      let askedAt = begun;
      const already = look();
      if (already !== undefined) return already;
      allow(ms);
      for (let last = false; ; ) {
        const found = look();
        if (found !== undefined) return found;
        const left = ms - (performance.now() - begun);
        // Where the target does not say what it has sent, the way may be to blame.
        if (left <= 0 && mailbox.isSilent && !isIdle) notTestable(unheard(mailbox));
        if (last || left <= 0)
          throw new RuleBroken(`Expected that ${expected}, within ${shownSeconds(ms)}.\n${whatCame(mailbox.deliveries, mailbox)}`);
        const now = performance.now();
        // Whoever knows that nothing is left need not wait for it.
        if (isIdle && now - askedAt >= ASK_EVERY_MS) {
          askedAt = now;
          last = await isIdle();
        }
        await mailbox.next(Math.min(left, last ? LAST_MS : ASK_EVERY_MS));
      }
    },
    async none(wanted, expected) {
      await inbox.settled();
      const [unexpected] = inbox.all(wanted);
      if (unexpected) throw new RuleBroken(`Expected that ${expected}.\n${whatCame([unexpected], mailbox)}`);
    },
    async change() {
      const wanted = await sentinel();
      await inbox.event(wanted).catch(unlessBroken(({ message }) => notTestable(`a subscription that works: ${message}`)));
      return wanted;
    },
    async settled() {
      bounded();
      const wanted = await inbox.change();
      allow(patience.eventMs + patience.graceMs);
      const begun = performance.now();
      while (isIdle && performance.now() - begun < patience.eventMs && !(await isIdle())) await mailbox.next(LAST_MS);
      await pauseFor(patience.graceMs);
      return inbox.all(wanted)[0] as Delivery;
    },
    answer: mailbox.answer,
  };
  return inbox;

  async function pauseFor(ms: number): Promise<void> {
    const end = performance.now() + ms;
    for (let left = ms; left > 0; left = end - performance.now()) await mailbox.next(left);
  }
}

/** The body of a delivery as an object; `{}` where it is none. */
export function eventOf({ json }: Delivery): Members {
  return objectOf(json);
}

/** The data of a delivery; `{}` where there is none. */
export function dataOf(delivery: Delivery): Members {
  return objectOf(eventOf(delivery).data);
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function isOf(delivery: Delivery, { type, data = {}, scope = {} }: Wanted): boolean {
  const event = eventOf(delivery);
  return (type === undefined || event.type === type) && holds(event.data, data) && holds(event.scope, scope);
}

function holds(told: unknown, wanted: Members): boolean {
  return Object.entries(wanted).every(([name, value]) => same(objectOf(told)[name], value));
}

function same(told: unknown, wanted: unknown): boolean {
  return typeof told === 'string' && typeof wanted === 'string' ? sameId(told, wanted) : isDeepStrictEqual(told, wanted);
}

function inWords({ type, data = {}, scope = {} }: Wanted): string {
  const members = Object.entries({ ...data, ...scope }).map(([name, value]) => `${name} ${String(value)}`);
  return [type ?? 'an event', ...(members.length > 0 ? [`with ${members.join(' and ')}`] : [])].join(' ');
}

const MOST_SHOWN = 5;

function whatCame(deliveries: readonly Delivery[], { isSilent, url }: Mailbox): string {
  if (deliveries.length === 0) return isSilent ? unheard({ url }) : 'Nothing was delivered.';
  const shown = deliveries
    .slice(-MOST_SHOWN)
    .map(({ headers, text }) => `  ${headers['webhook-id'] ?? 'without webhook-id'}: ${text.slice(0, 400)}`);
  const more = deliveries.length > MOST_SHOWN ? `, the last ${MOST_SHOWN} of ${deliveries.length}` : '';
  return `Delivered${more}:\n${shown.join('\n')}`;
}

function unheard({ url }: Pick<Mailbox, 'url'>): string {
  const { origin } = new URL(url);
  return `Nothing at all has come to ${origin} so far: see whether the target reaches it, and who is subscribed.`;
}

function shownSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
