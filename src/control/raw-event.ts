import { didYouMean } from '../contract/did-you-mean.ts';
import { controlFailure, type FieldError, type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { validator } from '../contract/validators.ts';
import { instant } from '../domain/instants.ts';
import { publishRaw } from '../service/publish.ts';
import { listDeliveries } from '../store/delivery-list.ts';
import type { Tables } from '../store/schema.ts';
import { toDelivery } from './delivery-views.ts';
import { findSubscription } from './find-subscription.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';

type RawEvent = components['schemas']['RawEvent'];

/** The type of a delivery whose payload has no type of the contract. */
export const NO_TYPE = 'raw';
/** Headers that identify the delivery or its transfer. */
const OWN_HEADERS =
  /^(?:webhook-(?:id|timestamp|signature)|host|content-length|connection|keep-alive|transfer-encoding|upgrade|expect|te|trailer|proxy-.*)$/i;

/** POST /_control/events/raw: delivers any payload, without a change in the world. */
export const rawEvent: Pick<ControlHandlers, 'sendRawEvent'> = {
  async sendRawEvent({ body: request }, deps) {
    const invalid = contradiction(request) ?? forbiddenHeader(request.headers);
    if (invalid) return invalid;
    const found = await findSubscription(request.subscription, deps, 'invalid');
    if (isFailure(found)) return found;
    const { db } = deps.store;
    const subscription = await db.selectFrom('subscriptions').selectAll().where('id', '=', found.id).executeTakeFirst();
    if (!subscription) return cannot('not-found', `The subscription "${request.subscription}" was deleted by another request.`);
    const now = deps.clock.now();
    const isWhole = 'body' in request;
    const payload = isWhole ? request.body : await envelope(request, subscription, now, deps);
    const text = isWhole && typeof payload === 'string' ? payload : JSON.stringify(payload);
    const { event, errors } = validate(text, isWhole ? '/body' : '');
    if (errors.length > 0 && !request.allowInvalid) return breaksContract(errors);
    const delivery = await publishRaw(deps.service(), {
      subscription,
      type: eventTypes.find((known) => known === stringAt(event, 'type')) ?? NO_TYPE,
      experienceId: stringAt(event, 'scope', 'experienceId') ?? '',
      entityId:
        stringAt(event, 'data', 'connectionId') ?? stringAt(event, 'data', 'assignmentId') ?? stringAt(event, 'data', 'userId') ?? '',
      body: text,
      data: isObject(event) ? (event.data ?? null) : null,
      headers: Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
      now,
    });
    const [row] = await listDeliveries(db, { id: delivery }, 1);
    return row ? { status: 201, body: toDelivery(row, deps.decisions) } : cannot('conflict', 'Another world was loaded meanwhile.');
  },
};

/** What the schema cannot express. */
function contradiction(request: RawEvent): GateFailure | undefined {
  const parts = (['type', 'data'] as const).filter((name) => name in request);
  if (!('body' in request)) return parts.length < 2 ? cannot('invalid', 'The payload is missing. Give type and data, or body.') : undefined;
  const { body } = request;
  if (parts.length > 0)
    return cannot('invalid', `body is the whole payload, so type and data have no effect. Leave out ${parts.join(' and ')}.`);
  if (typeof body === 'string' && (!body.isWellFormed() || body.includes('\0')))
    return cannot('invalid', 'body contains a NUL or half of a surrogate pair, which the store cannot keep.', '/body');
  return undefined;
}

function forbiddenHeader(headers: RawEvent['headers'] = {}): GateFailure | undefined {
  const name = Object.keys(headers).find((given) => OWN_HEADERS.test(given));
  return name === undefined ? undefined : cannot('invalid', `The kit sets the header ${name} itself. Leave it out.`, `/headers/${name}`);
}

function breaksContract(errors: readonly FieldError[]): GateFailure {
  const [{ pointer, message }] = errors as [FieldError];
  const detail = `${pointer.slice(1) || 'The payload'} ${message}. Set allowInvalid (--allow-invalid) to send a payload that breaks the contract of events.`;
  return controlFailure('invalid', detail, errors);
}

/** The payload as JSON, and how it breaks the contract of events. @param prefix the JSON pointer to the payload in the request */
function validate(text: string, prefix: string): { event: unknown; errors: readonly FieldError[] } {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    return { event: undefined, errors: [{ pointer: prefix, message: `is not JSON (${(error as Error).message})` }] };
  }
  return { event, errors: contractErrors(event).map(({ pointer, message }) => ({ pointer: prefix + pointer, message })) };
}

function contractErrors(event: unknown): readonly FieldError[] {
  if (!isObject(event) || Array.isArray(event)) return [{ pointer: '', message: 'must be a JSON object' }];
  const { type } = event;
  const known = eventTypes.find((name) => name === type);
  if (known !== undefined) return validator(schemaReferences.events[known])(event);
  if (type === undefined) return [{ pointer: '/type', message: 'is missing' }];
  const hint = typeof type === 'string' ? didYouMean(type, eventTypes) : '';
  const message = `must be one of ${eventTypes.join(', ')}, not ${JSON.stringify(type)}${hint && ` (${hint.trim()})`}`;
  return [{ pointer: '/type', message }];
}

/** The envelope of data (Events › Envelope). Its Experience is that of the data, else that of the subscription, else the first of the provider. */
async function envelope(
  { type, data }: RawEvent,
  subscription: Tables['subscriptions'],
  now: number,
  { store: { db } }: ControlDeps,
): Promise<object> {
  const experienceId =
    stringAt({ data }, 'data', 'experienceId') ??
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
  return { type, timestamp: instant(now), subscriptionId: subscription.id, scope: { experienceId }, data };
}

/** The string at a path; undefined if there is none, or one that a database cannot keep. */
function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
  return typeof found === 'string' && found.isWellFormed() && !found.includes('\0') ? found : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
