import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { eventTypes } from '../../src/contract/generated/events.ts';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import { ALL_EVENTS, OF_EXPERIENCE, WITHOUT_STATES } from '../../src/oracle/event-rules.ts';
import { ListLengths } from '../../src/oracle/listing.ts';
import type { Pair } from '../../src/oracle/pair.ts';
import type { SideIndex } from '../../src/oracle/side.ts';
import { readSurroundings } from '../../src/oracle/surroundings.ts';
import { type Client, createClient } from '../actors/api-client.ts';
import { createCast, openSide } from '../actors/explorer.ts';
import type { Mailbox, Receiver, Receivers } from '../actors/receiver.ts';
import { getMaxRequestEffectDelayMs } from '../expect/response.ts';
import { type Arrangement, createArrangement } from '../target/arrangement.ts';
import { type Cleanup, createCleanup } from '../target/cleanup.ts';
import { createControl } from '../target/control.ts';
import { createKitCapabilities } from '../target/kit-capabilities.ts';

interface ExploredTarget {
  readonly arrangement: Arrangement;
  readonly api: Client;
  readonly receivers: Receivers;
  readonly cleanup: Cleanup;
  readonly destinationFor: (url: string) => string;
  readonly forms: Pair['forms'];
  readonly baseUrl: string;
  /** The decisions that are known of the target. */
  readonly decisions: Partial<Decisions>;
}

/** The twin's lists are always current, and it refuses no request because of the rate. */
const PROMPT: Partial<Decisions> = { 'lists.read-model-lag': 0, 'users.list.read-model-lag': 0, 'users.rate-limit': 0 };

/** Starts a twin of the target, and subscribes to the events of both. */
export async function openPair({ arrangement, api, receivers, cleanup, destinationFor, forms, baseUrl, decisions }: ExploredTarget) {
  const [form] = forms as [PathForm];
  let reads = new Set<DecisionId>();
  const { createKit } = await import('../../src/kit.ts');
  const set = { ...decisions, ...PROMPT };
  const kit = await createKit({ port: 0, fixtures: { world: 'twin' }, set }, { onDecision: (id) => void reads.add(id) });
  const twinCleanup = createCleanup(() => {});
  const control = createControl(kit.url);
  const twin = createArrangement(
    await createKitCapabilities({ control, name: 'twin', cleanup: twinCleanup, disposable: true, canReceive: true }),
  );
  const twinApi = createClient({ baseUrl: kit.url, form, headers: {}, timeoutMs: 30_000, recordExchange: () => {} });
  const { names, cast } = await createCast(arrangement, twin);
  const subscribed: readonly [string[], string[]] = [[], []];
  const mailboxes: readonly [Record<string, Mailbox>, Record<string, Mailbox>] = [{}, {}];
  const subscribe = async (side: SideIndex, { need }: Arrangement, receiver: Receiver, getDestination = (url: string) => url) => {
    const subscriptions = await need('subscriptions');
    const withoutStates = eventTypes.filter((type) => !type.endsWith('activated'));
    for (const [name, types, experienceId] of [
      [ALL_EVENTS, eventTypes, undefined],
      [OF_EXPERIENCE, eventTypes, cast.experiences[0]],
      [WITHOUT_STATES, withoutStates, undefined],
    ] as const) {
      const mailbox = receiver.openMailbox();
      const filter = experienceId === undefined ? {} : { experienceId: names.resolve(side, experienceId) };
      const id = await subscriptions.create({ destinationUrl: getDestination(mailbox.url), types, ...filter });
      if (side === 0) cleanup.add(`subscription ${id}`, () => subscriptions.remove(id));
      subscribed[side].push(id);
      mailboxes[side][name] = mailbox;
    }
  };
  if (arrangement.has('subscriptions')) {
    await subscribe(0, arrangement, await receivers.getConfiguredReceiver(), destinationFor);
    await subscribe(1, twin, await receivers.getLocalReceiver());
  }
  const createIdleCheck = async (side: SideIndex, { need }: Arrangement) => {
    const isIdle = await need('events.idle');
    return async () => (await Promise.all(subscribed[side].map(isIdle))).every(Boolean);
  };
  const isTwinIdle = await createIdleCheck(1, twin);
  const sides = [
    await openSide({ arrangement, api, mailboxes: mailboxes[0] }),
    await openSide({ arrangement: twin, api: twinApi, mailboxes: mailboxes[1] }),
  ] as const;
  const listLagMs = arrangement.has('lists.bound') ? await arrangement.need('lists.bound') : 0;
  const pair: Pair = {
    target: sides[0],
    twin: sides[1],
    names,
    cast: await readSurroundings(cast, names, sides, form, listLagMs),
    form,
    forms,
    baseUrl,
    decided: new Set(Object.keys(decisions) as DecisionId[]),
    recordDecisions() {
      reads = new Set();
      return reads;
    },
    async settleTwin() {
      while (!(await isTwinIdle())) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    isIdle: arrangement.has('events.idle') ? await createIdleCheck(0, arrangement) : undefined,
    listLagMs,
    lengths: new ListLengths(),
    userLagMs: arrangement.has('users.read-model-bound') ? await arrangement.need('users.read-model-bound') : undefined,
    acceptedMs: getMaxRequestEffectDelayMs({ status: 202 }),
    eventMs: arrangement.has('events.delivered-within') ? await arrangement.need('events.delivered-within') : undefined,
  };
  return { pair, close: () => kit.close() };
}
