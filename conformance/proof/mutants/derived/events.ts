import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { type Cause, changeWhere } from '../by-hand/events-causes.ts';
import { type Delivery, dataOf, isType, withData, withEvent } from '../delivery.ts';
import { bodyOf, type Json, withHeaders } from '../exchange.ts';
import { changeDelivery, type Derived, type Start } from '../mutant.ts';
import { isConditional, type Schema, schemasOf, wrongValues } from './schema.ts';

// Every member and header of every event is wrong in every way that its schema tells; and so are the method, the content type and the body.

const document = schemasOf('asyncapi');
const envelope = document.definition('EventEnvelope');
const headers = document.definition('DeliveryHeaders');
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const payloadOf = (type: EventType): Schema =>
  document.definition(
    type
      .split('.')
      .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
      .join(''),
  );

/** Why the event was published, by the ways in which it is wrong: a check has to look at events of every cause. */
const CAUSES: readonly (readonly Cause[] | undefined)[] = [['account', 'target'], ['elsewhere'], undefined];

function inEvents(type: EventType, index: number, change: (delivery: Delivery) => Delivery): Start {
  const causes = CAUSES[index % CAUSES.length];
  const isPossible = causes?.[0] === 'elsewhere' || type.endsWith('.deleted');
  if (causes === undefined || !isPossible || type.startsWith('provisioning.'))
    return changeDelivery((delivery) => (isType(delivery, type) ? change(delivery) : undefined));
  return changeWhere([type], ({ cause }) => causes.includes(cause), change);
}

/** Each way is that of every other type. */
const isTurn = (type: EventType, way: number): boolean => (eventTypes.indexOf(type) + way) % 2 === 0;

/** Without data an event is recognized only if the check expects no other one of its type. */
const isUnrecognized = (type: EventType, member: string, how = ''): boolean =>
  member === 'data' && ['nothing', 'null'].includes(how) && (type.includes('assignment') || type.endsWith('.deleted'));

/** The mutants of the members of one object in an event. */
function ofMembers(
  type: EventType,
  schema: Schema,
  prefix: string,
  change: (delivery: Delivery, members: Json) => Delivery,
  read: (delivery: Delivery) => Json,
): Derived[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, given]) => {
    const rule = `${prefix}.${kebab(member)}`;
    if (!(rule in rules)) return [];
    const isRequired = schema.required?.includes(member) ?? false;
    const ways = wrongValues(document.resolve(given), { isRequired, isConditional: isConditional(schema, member) });
    const mutants = ways.map(([how, wrong], index) => ({
      rule,
      does: `${type} carries ${how} for ${member}.`,
      start: inEvents(type, index, (delivery) => change(delivery, { [member]: wrong(read(delivery)[member] as never) })),
    }));
    return mutants.filter((_, index) => isTurn(type, index) && !isUnrecognized(type, member, ways[index]?.[0]));
  });
}

function ofType(type: EventType): Derived[] {
  const payload = payloadOf(type);
  const data = document.resolve(payload.properties?.data ?? {});
  const [domain, entity] = type.split('.');
  const group = domain === 'provisioning' ? domain : entity;
  const members = { ...payload, properties: { ...payload.properties, type: envelope.properties?.type ?? {} } };
  return [
    ...ofMembers(type, members, 'events.envelope', withEvent, bodyOf),
    ...wrongValues({ type: 'string' }, { isRequired: true }).map(([how, wrong], index) => ({
      rule: 'events.envelope.scope',
      does: `${type} carries ${how} for scope.experienceId.`,
      start: inEvents(type, index, (delivery) =>
        withEvent(delivery, { scope: { experienceId: wrong(bodyOf(delivery).scope.experienceId as never) } }),
      ),
    })),
    ...ofMembers(type, data, `events.${group}.data`, withData, dataOf),
    ...ofMembers(
      type,
      headers,
      'events.headers',
      (delivery, changed) => withHeaders(delivery, textsOf(changed)),
      ({ headers: sent }) => sent,
    ).filter(
      // A header is always a string.
      ({ does }) => !/ (null|a number|an object) for /.test(does),
    ),
  ];
}

const textsOf = (changed: Json) =>
  Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value === undefined ? value : `${value}`]));

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
  ...eventTypes.flatMap(ofType),
  ...WHOLE.map(([rule, how, change]) => ({ rule, does: `Every event ${how}.`, start: changeDelivery(change) })),
];
