import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { bodyOf, type Delivery, dataOf, isType, type Json, withData, withEvent, withHeaders } from '../exchange.ts';
import { changeDelivery, type Derived } from '../mutant.ts';
import { isConditional, pairs, type Schema, schemasOf, wrongValues } from './schema.ts';

// Every member and header of every event is wrong in every way that its schema tells; and so are the method, the content type and the body.

const document = schemasOf('asyncapi');
const envelope = document.definition('EventEnvelope');
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An object in events. */
interface Part {
  readonly types: readonly EventType[];
  readonly schema: Schema;
  readonly ruleOf: (member: string) => string;
  readonly read: (delivery: Delivery) => Json;
  readonly change: (delivery: Delivery, members: Json) => Delivery;
}

function schemaOf(type = ''): Schema {
  const words = type.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return document.definition(words.join(''));
}

const [anyType] = eventTypes;
/** Any event, with any type. */
const event: Schema = { ...schemaOf(anyType), properties: { ...schemaOf(anyType).properties, type: envelope.properties?.type ?? {} } };

/** The words of rule ids for the data of an event. */
const groupOf = (type: EventType): string => (type.startsWith('provisioning.') ? 'provisioning' : (type.split('.')[1] ?? ''));

const parts: readonly Part[] = [
  { types: eventTypes, schema: event, ruleOf: (member) => `events.envelope.${kebab(member)}`, read: bodyOf, change: withEvent },
  {
    types: eventTypes.filter((type) => type.endsWith('.created')),
    schema: document.resolve(envelope.properties?.scope ?? {}),
    ruleOf: () => 'events.envelope.scope',
    read: (delivery) => bodyOf(delivery).scope,
    change: (delivery, members) => withEvent(delivery, { scope: { ...bodyOf(delivery).scope, ...members } }),
  },
  {
    types: eventTypes,
    schema: document.definition('DeliveryHeaders'),
    ruleOf: (member) => `events.headers.${member}`,
    read: ({ headers }) => headers,
    change: withHeaders,
  },
  ...[...Map.groupBy(eventTypes, groupOf)].map(([group, types]) => ({
    types,
    schema: document.resolve(schemaOf(types[0]).properties?.data ?? {}),
    ruleOf: (member: string) => `events.${group}.data.${kebab(member)}`,
    read: dataOf,
    change: withData,
  })),
];

/** Without data an event is recognized only if the check expects no other one of its type. */
const isUnrecognized = (type: EventType, member: string, how: string): boolean =>
  member === 'data' && ['nothing', 'null'].includes(how) && (type.includes('assignment') || type.endsWith('.deleted'));

/** Each member is wrong in each way for one type of event, and wrong in one way for each type. */
function ofPart({ types, schema, ruleOf, read, change }: Part): Derived[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, given]) => {
    const rule = ruleOf(member);
    if (!(rule in rules)) return [];
    const isRequired = schema.required?.includes(member) ?? false;
    const all = wrongValues(document.resolve(given), { isRequired, isConditional: isConditional(schema, member) });
    // A header is always a string.
    const ways = rule.startsWith('events.headers.') ? all.filter(([how]) => !/^(null|a number)$/.test(how)) : all;
    return pairs(types, ways).flatMap(([type, [how, wrong]]) => {
      const start = changeDelivery((delivery) =>
        isType(delivery, type) ? change(delivery, { [member]: wrong(read(delivery)[member] as never) }) : undefined,
      );
      return isUnrecognized(type, member, how) ? [] : [{ rule, does: `${type} carries ${how} for ${member}.`, start }];
    });
  });
}

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

/** The mutants of every event. */
export const eventMutants: readonly Derived[] = [
  ...parts.flatMap(ofPart),
  ...WHOLE.map(([rule, how, change]) => ({ rule, does: `Every event ${how}.`, start: changeDelivery(change) })),
];
