import { type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { getSigningSecret } from '../domain/deliveries.ts';
import { createConfiguredHeaders } from '../domain/delivery-headers.ts';
import { checkSignature } from '../events/check-signature.ts';
import { findReceived, listAttempts } from '../store/delivery-list.ts';
import { listSubscriptions } from '../store/subscriptions.ts';
import { lookUp } from '../world/references.ts';
import { findDelivery } from './deliveries.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';

type CheckedSignature = components['schemas']['CheckedSignature'];

interface SentDelivery {
  readonly subscriptionId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const signatureHandlers: Pick<ControlHandlers, 'checkSignature'> = {
  async checkSignature({ body: { deliveryId, subscription, secret, headers, body } }, deps) {
    const sent: Partial<SentDelivery> | GateFailure = deliveryId === undefined ? {} : await findSentDelivery(deliveryId, deps);
    if (isFailure(sent)) return sent;
    const named =
      subscription === undefined ? { id: sent.subscriptionId } : await lookUp(deps.store.db, 'subscriptions', subscription, 'invalid');
    if (isFailure(named)) return named;
    const rows = await listSubscriptions(deps.store.db);
    const owner = rows.find(({ id }) => id === named.id);
    const used = secret ?? (owner && getSigningSecret(owner));
    if (used === undefined)
      return refuseRequest(
        'invalid',
        'The secret is missing: send secret, subscription, or the deliveryId of a delivery whose subscription exists.',
        '/secret',
      );
    const received = { headers: toLowerCaseHeaders(headers ?? sent.headers ?? {}), body: body ?? sent.body };
    if (received.body === undefined) return refuseRequest('invalid', 'The body is missing: send body or deliveryId.', '/body');
    const checked = { headers: received.headers, body: received.body };
    const others = rows.filter((each) => getSigningSecret(each) !== used).map((each) => [each.alias, getSigningSecret(each)] as const);
    const result = checkSignature({
      ...checked,
      secret: used,
      otherSecrets: new Map(others),
      sent,
      now: [deps.clock.now() - deps.clock.offset, deps.clock.now()],
    });
    // If signatures are disabled, the kit's configuration is the cause of a missing signature.
    const isUnsigned = !checked.headers['webhook-signature'] && deps.decisions['events.delivery.signature'] === 'none';
    const causes = isUnsigned ? [UNSIGNED_RESULT, ...(deliveryId === undefined ? result.causes : [])] : result.causes;
    return { status: 200, body: { ...result, causes, ...checked } };
  },
};

const UNSIGNED_RESULT: CheckedSignature['causes'][number] = {
  cause: 'not signed',
  text: 'This kit does not sign deliveries. Start it with --set events.delivery.signature=standard-webhooks.',
};

/**
 * Returns the sent headers and body from the inbox. If the inbox does not contain the delivery, computes the last attempt's headers again.
 */
async function findSentDelivery(deliveryId: string, deps: ControlDeps): Promise<SentDelivery | GateFailure> {
  const row = await findDelivery(deliveryId, deps);
  if (isFailure(row)) return row;
  const { store, clock, decisions } = deps;
  const { db } = store;
  const { id, event_id: eventId, subscription_id: subscriptionId, body, headers } = row;
  const received = await findReceived(db, id);
  if (received) return { subscriptionId, headers: JSON.parse(received.headers) as Record<string, string>, body: received.body };
  const last = (await listAttempts(db, id)).at(-1);
  const subscription = (await listSubscriptions(db, subscriptionId)).at(0);
  const sentAt = last === undefined ? clock.now() : Date.parse(last.at);
  const due = { id, eventId, subscriptionId, body, headers };
  return {
    subscriptionId,
    headers: createConfiguredHeaders(due, { sentAt, offset: clock.offset, secret: subscription?.secret }, decisions),
    body,
  };
}

const toLowerCaseHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
