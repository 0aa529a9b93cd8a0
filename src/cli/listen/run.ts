import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../../contract/generated/control.ts';
import { callOperation } from '../../control-client/call.ts';
import { checkDestination } from '../../events/destination.ts';
import { LISTENER_URL } from '../../events/relay.ts';
import { createSender, type Sender } from '../../events/send.ts';
import { type ControlFlags, print } from '../command.ts';
import { type ControlClient, createCliClient, RefusedError } from '../control-client.ts';
import { findWorld } from '../find-world.ts';
import { closeOnSignal } from '../start.ts';
import { UsageError } from '../usage-error.ts';
import { followDeliveries } from './follow.ts';

export interface ListenFlags extends ControlFlags {
  readonly subscription: string;
  readonly forwardTo: string;
  readonly world?: string;
  readonly types?: string;
  readonly experience?: string;
  readonly provider?: string;
}

type Delivery = components['schemas']['ListenedDelivery'];

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
const REPLACES = 'Another listener is connected, and gets no deliveries until this one ends.';
const FLAGS_OF_NEW = ['types', 'experience', 'provider'] as const;

/** Passes deliveries on until a signal. @throws if the kit refuses, or if the subscription no longer exists */
export async function listen({ url: kitUrl, world, controlToken, ...flags }: ListenFlags): Promise<void> {
  const checked = await checkDestination(flags.forwardTo, 'local');
  if ('refused' in checked) throw new UsageError(`--forward-to: ${checked.refused}`);
  const url = (world === undefined ? kitUrl : await findWorld(kitUrl, world, controlToken)).replace(/\/+$/, '');
  const control = createCliClient(url, controlToken);
  const { isNew, address } = await prepareSubscription(control, url, flags);
  const stop = new AbortController();
  const listening = passOn({ url, controlToken, control, address, flags, signal: stop.signal }).finally(async () => {
    // The kit may have ended, too.
    if (isNew) await callOperation(control, 'deleteSubscription', { subscriptionId: flags.subscription }).catch(() => {});
  });
  closeOnSignal({
    close() {
      stop.abort();
      return listening;
    },
  });
  await listening;
}

/** @returns whether the subscription is new and, at a proxy, the address to which the service must send the deliveries */
async function prepareSubscription(
  control: ControlClient,
  url: string,
  { subscription, types, experience, provider, ...flags }: Omit<ListenFlags, keyof ControlFlags>,
): Promise<{ readonly isNew: boolean; readonly address?: string }> {
  const given = { types, experience, provider, ...flags };
  const used = FLAGS_OF_NEW.find((name) => given[name] !== undefined);
  const { upstream, settings } = (await control.GET('/_control/info')).data;
  if (upstream !== undefined) {
    if (used !== undefined) throw new UsageError(`A proxy has no subscriptions of its own, so omit --${used}.`);
    return { isNew: false, address: `${String(settings.publicUrl ?? url)}/hooks/${subscription}` };
  }
  const found = await hasSubscription(control, subscription);
  if (found && used !== undefined)
    throw new UsageError(`The subscription "${subscription}" exists. Omit --${used}, or give the name of a new subscription.`);
  if (found) return { isNew: false };
  await callOperation(control, 'createSubscription', {
    ...{ alias: subscription, destinationUrl: LISTENER_URL, experience, provider },
    types: types?.split(',') as never,
    ...{ id: undefined, secret: undefined, mode: undefined },
  });
  return { isNew: true };
}

const hasSubscription = (control: ControlClient, subscriptionId: string): Promise<boolean> =>
  callOperation(control, 'readSubscription', { subscriptionId }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RefusedError && error.type === '/problems/control.not-found') return false;
      throw error;
    },
  );

interface Listening {
  readonly url: string;
  readonly controlToken: string | undefined;
  readonly control: ControlClient;
  readonly address: string | undefined;
  readonly flags: Pick<ListenFlags, 'subscription' | 'forwardTo' | 'json'>;
  readonly signal: AbortSignal;
}

/** Connects again whenever the stream ends. */
async function passOn({ flags, signal, ...kit }: Listening): Promise<void> {
  let sender: Sender | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  const pass = async (delivery: Delivery) => {
    sender ??= createSender({ mode: 'local', timeoutMs: delivery.timeoutMs });
    await passDelivery(delivery, sender, kit.control, flags);
  };
  try {
    while (!signal.aborted) {
      const problem = await followDeliveries(kit, flags.subscription, signal, {
        onListening({ subscriptionId, replaces = false }) {
          pauseMs = FIRST_PAUSE_MS;
          const place =
            kit.address === undefined
              ? `${flags.subscription} (${subscriptionId}) at ${kit.url}`
              : `${kit.address}, which the service must call`;
          console.error(`Listening to ${place}. Deliveries go to ${flags.forwardTo}.${replaces ? ` ${REPLACES}` : ''}`);
        },
        onReplaced: () =>
          console.error(`xpk: Another listener to ${flags.subscription} has connected, and gets the deliveries until it ends.`),
        onDelivery: (delivery) => void pass(delivery),
      });
      if (signal.aborted) return;
      console.error(
        `xpk: The connection to ${kit.url} ended${problem === undefined ? '' : ` (${problem})`}. Connecting again in ${pauseMs / 1000} s.`,
      );
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  } finally {
    await sender?.close();
  }
}

/** Never rejects, because the kit repeats what gets no answer. */
async function passDelivery(
  { attemptId, headers, body }: Delivery,
  sender: Sender,
  control: ControlClient,
  { subscription, forwardTo, json = false }: Listening['flags'],
): Promise<void> {
  const bytes = Buffer.from(body, 'base64');
  const { durationMs: ms, ...answer } = await sender.send(forwardTo, headers, bytes);
  const [, id = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'webhook-id') ?? [];
  const outcome = 'status' in answer ? { status: answer.status } : { error: answer.error };
  print({ json }, { type: readType(bytes), id, ...outcome, ms }, ({ type }) =>
    [new Date().toISOString(), type, id, Object.values(outcome)[0], `${ms} ms`].join('  '),
  );
  await callOperation(control, 'answerDelivery', {
    ...{ subscriptionId: subscription, attemptId, status: undefined, retryAfter: undefined, error: undefined },
    ...answer,
  }).catch((error: Error) => console.error(`xpk: The answer to ${id} was not received: ${error.message}`));
}

function readType(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString()) as { type?: unknown }).type ?? 'raw');
  } catch {
    return 'raw';
  }
}
