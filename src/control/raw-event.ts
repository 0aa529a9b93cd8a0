import { didYouMean } from '../contract/did-you-mean.ts';
import { createControlFailure, type FieldError, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import { formatInstant } from '../domain/instants.ts';
import { publishRaw } from '../service/publish.ts';
import { listDeliveries } from '../store/delivery-list.ts';
import type { Tables } from '../store/schema.ts';
import { lookUp } from '../world/references.ts';
import { parseBody, toDelivery } from './delivery-views.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';

type RawEvent = components['schemas']['RawEvent'];

/** The stored event type if the payload has no documented event type. */
export const UNKNOWN_EVENT_TYPE = 'raw';
/** Only the kit may set headers that identify the delivery or describe the transfer. */
const RESERVED_HEADERS =
  /^(?:webhook-(?:id|timestamp|signature)|host|content-length|connection|keep-alive|transfer-encoding|upgrade|expect|te|trailer|proxy-.*)$/i;

/** Delivers any payload without changing the world. */
export const rawEventHandlers: Pick<ControlHandlers, 'sendRawEvent'> = {
  async sendRawEvent({ body: request }, deps) {
    const { headers = {} } = request;
    const own = Object.keys(headers).find((name) => RESERVED_HEADERS.test(name));
    if (own !== undefined) return refuseRequest('invalid', `The kit sets the header ${own}. Omit this header.`, `/headers/${own}`);
    if (typeof request.body === 'string' && (!request.body.isWellFormed() || request.body.includes('\0')))
      return refuseRequest('invalid', 'The raw body contains a NUL or half of a surrogate pair, which the database cannot store.', '/body');
    const found = await lookUp(deps.store.db, 'subscriptions', request.subscription, 'invalid');
    if (isFailure(found)) return found;
    const { db } = deps.store;
    const subscription = await db.selectFrom('subscriptions').selectAll().where('id', '=', found.id).executeTakeFirst();
    if (!subscription) return refuseRequest('not-found', `The subscription "${request.subscription}" was deleted by another request.`);
    const now = deps.clock.now();
    const payload = 'body' in request ? request.body : await createEnvelope(request, subscription, now, deps);
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const event = parseBody(text);
    const errors = findContractErrors(event).map(({ pointer, message }) => ({
      pointer: `${'body' in request ? '/body' : ''}${pointer}`,
      message,
    }));
    const [first] = errors;
    if (first && !request.allowInvalid) {
      const advice = 'Set allowInvalid (--allow-invalid) to send a payload that does not match the event schemas.';
      return createControlFailure('invalid', `${first.pointer.slice(1) || 'The payload'} ${first.message}. ${advice}`, errors);
    }
    const delivery = await publishRaw(deps.createContext(), {
      subscription,
      type: eventTypes.find((known) => known === getString(event, 'type')) ?? UNKNOWN_EVENT_TYPE,
      experienceId: getString(event, 'scope', 'experienceId') ?? '',
      entityId:
        getString(event, 'data', 'connectionId') ?? getString(event, 'data', 'assignmentId') ?? getString(event, 'data', 'userId') ?? '',
      body: text,
      data: isObject(event) ? (event.data ?? null) : null,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      now,
    });
    const [row] = await listDeliveries(db, { id: delivery }, 1);
    return row
      ? { status: 201, body: toDelivery(row, deps.decisions) }
      : refuseRequest('conflict', 'Another world was loaded during the request, so the delivery was deleted.');
  },
};

export function findContractErrors(event: unknown): readonly FieldError[] {
  if (!isObject(event) || Array.isArray(event)) return [{ pointer: '', message: 'must be a JSON object' }];
  const { type } = event;
  const known = eventTypes.find((name) => name === type);
  if (known !== undefined) return getValidator(schemaReferences.events[known])(event);
  if (type === undefined) return [{ pointer: '/type', message: 'is missing' }];
  const hint = typeof type === 'string' ? didYouMean(type, eventTypes) : '';
  const message = `must be one of ${eventTypes.join(', ')}, not ${JSON.stringify(type)}${hint && ` (${hint.trim()})`}`;
  return [{ pointer: '/type', message }];
}

/**
 * Wraps data in an envelope (Events › Envelope). Takes the Experience from the data, or else from the subscription, or else from the
 * provider.
 */
async function createEnvelope(
  { type, data }: RawEvent,
  subscription: Tables['subscriptions'],
  now: number,
  { store: { db } }: ControlDeps,
): Promise<object> {
  const experienceId =
    getString({ data }, 'data', 'experienceId') ??
    subscription.experience_id ??
    (
      await db
        .selectFrom('experiences')
        .select('id')
        .where('provider_id', '=', subscription.provider_id)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
    )?.id;
  return { type, timestamp: formatInstant(now), subscriptionId: subscription.id, scope: { experienceId }, data };
}

/** Returns undefined if the value is not a string, or if PostgreSQL cannot store it. */
function getString(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
  return typeof found === 'string' && found.isWellFormed() && !found.includes('\0') ? found : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
