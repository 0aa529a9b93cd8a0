import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, type Delivery, dataOf, isType, type Json, withEvent, withHeaders } from '../exchange.ts';
import { changeDelivery, type Derived } from '../mutant.ts';
import { type Place, wrongMembers } from './members.ts';
import { kebab, type Schema, schemasOf } from './schema.ts';

// Mutants that break deliveries: every member and header in every way that its schema excludes, and the method, the content type and the
// body.

const document = schemasOf('asyncapi');
const envelope = document.definition('EventEnvelope');

function schemaOf(type = ''): Schema {
  const words = type.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return document.definition(words.join(''));
}

const [anyType] = eventTypes;
/** The schema of the first event type. In this schema, the member `type` may have every event type as its value. */
const event: Schema = { ...schemaOf(anyType), properties: { ...schemaOf(anyType).properties, type: envelope.properties?.type ?? {} } };

/** Returns a place for each of the given event types. @param change applies a change to one object in a delivery */
const placesIn = (types: readonly EventType[], change: (delivery: Delivery, change: (object: Json) => Json) => Delivery): Place[] =>
  types.map((type) => ({
    name: type,
    start: (wrong) => changeDelivery((delivery) => (isType(delivery, type) ? change(delivery, wrong) : undefined)),
  }));

const inEnvelope = placesIn(eventTypes, (delivery, change) => withEvent(delivery, change(bodyOf(delivery))));
const inScope = placesIn(eventTypes.slice(0, 1), (delivery, change) => withEvent(delivery, { scope: change(bodyOf(delivery).scope) }));
const inHeaders = placesIn(eventTypes, (delivery, change) => withHeaders(delivery, change(delivery.headers)));

/** Removes mutants that no check can recognize. Their events have no data, and the check expects several events of the same type. */
const isRecognized = ({ does }: Derived): boolean => !/(assignment\.\w+|deleted) has (nothing|null) for data\.$/.test(does);
/** Removes mutants that would set a header to null or to a number, because the value of a header is always a string. */
const isHeader = ({ does }: Derived): boolean => !/has (null|a number) for/.test(does);

/** Returns the second part of the ids of rules about the data of an event, such as `assignment`. */
const groupOf = (type: EventType): string => (type.startsWith('provisioning.') ? 'provisioning' : (type.split('.')[1] ?? ''));

const resolve = document.resolve;
const members: readonly Derived[] = [
  ...wrongMembers({ resolve, schema: event, ruleOf: (member) => `events.envelope.${kebab(member)}`, placesOf: () => inEnvelope }).filter(
    isRecognized,
  ),
  ...wrongMembers({
    resolve,
    schema: resolve(event.properties?.scope ?? {}),
    ruleOf: () => 'events.envelope.scope',
    placesOf: () => inScope,
  }),
  ...wrongMembers({
    resolve,
    schema: document.definition('DeliveryHeaders'),
    ruleOf: (member) => `events.headers.${member}`,
    placesOf: () => inHeaders,
  }).filter(isHeader),
  ...[...Map.groupBy(eventTypes, groupOf)].flatMap(([group, types]) =>
    wrongMembers({
      resolve,
      schema: resolve(schemaOf(types[0]).properties?.data ?? {}),
      ruleOf: (member) => `events.${group}.data.${kebab(member)}`,
      placesOf: () => placesIn(types, (delivery, change) => withEvent(delivery, { data: change(dataOf(delivery)) })),
    }),
  ),
];

const WHOLE: readonly (readonly [RuleId, string, (delivery: Delivery) => Delivery])[] = [
  ['events.delivery.post', 'is delivered with PUT', (delivery) => ({ ...delivery, method: 'PUT' })],
  ['events.delivery.post', 'is delivered with GET and a body', (delivery) => ({ ...delivery, method: 'GET' })],
  ['events.delivery.json-content-type', 'is delivered as text/plain', (delivery) => typed(delivery, 'text/plain; charset=utf-8')],
  ['events.delivery.json-content-type', 'is delivered as a form', (delivery) => typed(delivery, 'application/x-www-form-urlencoded')],
  ['events.delivery.json-content-type', 'is delivered without a content type', (delivery) => typed(delivery, undefined)],
  [
    'events.delivery.json-body',
    'is a form',
    (delivery) => ({ ...delivery, text: new URLSearchParams({ payload: delivery.text }).toString() }),
  ],
  ['events.delivery.json-body', 'is XML', (delivery) => ({ ...typed(delivery, 'application/xml'), text: '<event/>' })],
  ['events.delivery.json-body', 'is JSON behind a prefix', (delivery) => ({ ...delivery, text: `)]}',\n${delivery.text}` })],
];

const typed = (delivery: Delivery, type: string | undefined): Delivery => withHeaders(delivery, { 'content-type': type });

/** All mutants that break the content of deliveries. */
export const eventMutants: readonly Derived[] = [
  ...members,
  ...WHOLE.map(([rule, how, change]) => ({ rule, does: `Every event ${how}.`, start: changeDelivery(change) })),
];
