import { type GateFailure, isFailure } from '../contract/failure.ts';
import { HOOK_NAME, LISTENER_URL, type RelayedAnswer } from '../events/relay.ts';
import { waitForChange } from '../store/changes.ts';
import { destinationById } from '../store/subscriptions.ts';
import { lookUp } from '../world/references.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';

/** How often a stream checks whether its subscription still exists, in milliseconds of wall time, besides after changes. */
const CHECK_MS = 2000;

/** How soon an attempt fails whose listener has disconnected, in milliseconds. */
const HEARTBEAT_MS = 1000;

export const listenHandlers: Pick<ControlHandlers, 'listen' | 'answerDelivery'> = {
  async listen({ params }, deps) {
    const found = await findListened(params.subscriptionId, deps);
    if (isFailure(found)) return found;
    const replicas = await deps.store.replicas();
    if (replicas > 1)
      return refuseRequest(
        'conflict',
        `${replicas} replicas share this kit's database, and any of them may send a delivery, but only one of them can have your listener. Listen to a kit with one process, or subscribe a URL that the kit can reach.`,
      );
    const { id } = found;
    if (!(await isDelivered(id, deps)))
      return refuseRequest(
        'conflict',
        `The subscription "${params.subscriptionId}" has no destination, so the inbox receives its deliveries. Use another name, or set the destination: xpk state set subscriptions ${params.subscriptionId} destinationUrl=${LISTENER_URL}`,
      );
    return {
      heartbeatMs: HEARTBEAT_MS,
      async stream(to) {
        const send = (event: string, data: object) => void to.send({ event, data }).catch(() => {});
        const replaces = deps.relay.has(id);
        const close = deps.relay.listen(
          id,
          (data) => send('delivery', data),
          (isReplaced) => send(isReplaced ? 'replaced' : 'listening', { subscriptionId: id }),
        );
        try {
          await to.send({ event: 'listening', data: { subscriptionId: id, ...(replaces && { replaces }) } });
          await waitForEnd(id, to.ended, deps);
        } finally {
          close();
        }
      },
    };
  },
  async answerDelivery({ params, body }, deps) {
    const found = await findListened(params.subscriptionId, deps);
    if (isFailure(found)) return found;
    const { status, retryAfter, error = 'the listener gave no reason' } = body;
    const answer: RelayedAnswer = status === undefined ? { error } : { status, ...(retryAfter !== undefined && { retryAfter }) };
    deps.relay.answer(found.id, params.attemptId, answer);
    return { status: 204 };
  },
};

/** A proxy has receivers instead of subscriptions. */
async function findListened(name: string, { store, about }: ControlDeps): Promise<{ readonly id: string } | GateFailure> {
  if (about.upstream === undefined) return lookUp(store.db, 'subscriptions', name);
  return HOOK_NAME.test(name)
    ? { id: name }
    : refuseRequest(
        'invalid',
        `"${name}" cannot be the name of a receiver at a proxy. The name consists of small letters, digits and hyphens, such as events for /hooks/events.`,
      );
}

const isDelivered = async (id: string, { store, about }: ControlDeps): Promise<boolean> =>
  about.upstream !== undefined || (await destinationById.first(store.db, { id }))?.url != null;

/** Resolves when the connection has ended, or when the subscription was deleted or has no destination. */
async function waitForEnd(id: string, ended: AbortSignal, deps: ControlDeps): Promise<void> {
  const { changes } = deps.store;
  for (let { count } = changes; !ended.aborted && (await isDelivered(id, deps)); { count } = changes)
    await waitForChange(changes, count, CHECK_MS, ended);
}
