import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import type { FieldError } from '../contract/outcome.ts';
import { instant } from '../domain/instants.ts';
import type { GateRefusal } from '../http/answer.ts';
import { publishRaw } from '../service/publish.ts';
import { listDeliveries } from '../store/delivery-list.ts';
import type { Tables } from '../store/schema.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';
import { contractProblems } from './raw-event-contract.ts';
import { shownDelivery } from './shown-delivery.ts';
import { isRefusal, subscriptionId } from './subscription-name.ts';

type RawEvent = components['schemas']['RawEvent'];

/** What is written of a payload that names no type of the contract. */
export const NO_TYPE = 'raw';
/** Those that say what a delivery is, and those that say how the bytes are sent. */
const KEPT =
  /^(?:webhook-(?:id|timestamp|signature)|host|content-length|connection|keep-alive|transfer-encoding|upgrade|expect|te|trailer|proxy-.*)$/i;

/** POST /_control/events/raw: a payload of the operator's, and nothing in the world that caused it. */
export const rawEvent: Pick<ControlHandlers, 'sendRawEvent'> = {
  async sendRawEvent({ body }, deps) {
    const asked = body as RawEvent;
    const senseless = contradictionIn(asked) ?? forbiddenHeader(asked.headers);
    if (senseless) return senseless;
    const id = await subscriptionId(asked.subscription, deps, 'invalid');
    if (isRefusal(id)) return id;
    const { db } = deps.store;
    const subscription = await db
      .selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', id ?? '')
      .executeTakeFirst();
    if (!subscription) return cannot('not-found', `The subscription "${asked.subscription}" was deleted at this moment.`);
    const now = deps.clock.now();
    const payload = 'body' in asked ? asked.body : await envelope(asked, subscription, now, deps);
    const text = typeof payload === 'string' && 'body' in asked ? payload : JSON.stringify(payload);
    const { event, errors } = contractProblems(text, 'body' in asked ? '/body' : '');
    if (errors.length > 0 && !asked.allowInvalid) return breaksContract(errors);
    const headers = Object.fromEntries(Object.entries(asked.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
    const about = { type: typeOf(event), experienceId: textAt(event, 'scope', 'experienceId') ?? '', entityId: entityIn(event) };
    const data = isObject(event) ? (event.data ?? null) : null;
    const delivery = await publishRaw(deps.service(), { subscription, ...about, body: text, data, headers, now });
    const [row] = await listDeliveries(db, { id: delivery }, 1);
    return row ? { status: 201, body: shownDelivery(row, deps.decisions) } : cannot('conflict', 'Another world was loaded at this moment.');
  },
};

/** What the schema cannot say. */
function contradictionIn(asked: RawEvent): GateRefusal | undefined {
  const whole = 'body' in asked;
  const parts = (['type', 'data'] as const).filter((name) => name in asked);
  if (whole && parts.length > 0)
    return cannot('invalid', `body is the whole payload, so type and data have no effect. Leave out ${parts.join(' and ')}.`);
  if (!whole && parts.length < 2) return cannot('invalid', 'The payload is missing. Give type and data, or body.');
  if (typeof asked.body !== 'string' || (asked.body.isWellFormed() && !asked.body.includes('\0'))) return undefined;
  const message = 'contains a NUL or half of a surrogate pair, which the store cannot keep.';
  return { ...cannot('invalid', `body ${message}`), errors: [{ pointer: '/body', message }] };
}

function forbiddenHeader(headers: RawEvent['headers'] = {}): GateRefusal | undefined {
  const name = Object.keys(headers).find((given) => KEPT.test(given));
  if (name === undefined) return undefined;
  const message = `The kit sets the header ${name} itself. Leave it out.`;
  return { ...cannot('invalid', message), errors: [{ pointer: `/headers/${name}`, message }] };
}

function breaksContract(errors: readonly FieldError[]): GateRefusal {
  const [{ pointer, message }] = errors as [FieldError];
  const detail = `${pointer.slice(1) || 'The payload'} ${message}. Set allowInvalid (--allow-invalid) to send a payload that breaks the contract of events.`;
  return { ...cannot('invalid', detail), errors };
}

/** The envelope around data (Events › Envelope). Its Experience is that of the data, else that of the subscription, else the first of the provider. */
async function envelope(
  { type, data }: RawEvent,
  subscription: Tables['subscriptions'],
  now: number,
  { store }: ControlDeps,
): Promise<object> {
  const experienceId =
    textAt({ data }, 'data', 'experienceId') ?? subscription.experience_id ?? (await firstExperience(subscription, store));
  return { type, timestamp: instant(now), subscriptionId: subscription.id, scope: { experienceId }, data };
}

async function firstExperience({ provider_id }: Tables['subscriptions'], { db }: ControlDeps['store']): Promise<string | undefined> {
  const row = await db
    .selectFrom('experiences')
    .select('id')
    .where('provider_id', '=', provider_id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

function typeOf(event: unknown): string {
  const type = textAt(event, 'type');
  return eventTypes.find((known) => known === type) ?? NO_TYPE;
}

function entityIn(event: unknown): string {
  const [id] = ['connectionId', 'assignmentId', 'userId'].map((name) => textAt(event, 'data', name)).filter((found) => found !== undefined);
  return id ?? '';
}

/** The text there; none where there is something else, or what a database does not keep. */
function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
  return typeof found === 'string' && found.isWellFormed() && !found.includes('\0') ? found : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
