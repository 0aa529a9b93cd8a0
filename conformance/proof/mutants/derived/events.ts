import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { RuleId } from '../../../../src/contract/generated/rules.ts';
import { toKebabCase } from '../../../../src/contract/kebab-case.ts';
import { changeBody, changeHeaders, type Delivery, isType, type Json, setContentType } from '../exchange.ts';
import { changeDelivery, type DerivedMutant } from '../mutant.ts';
import { createWrongMembers, type ObjectLocation } from './members.ts';
import { createSchemaResolver, type Schema } from './schema.ts';

// Mutants that deliver events with a wrong method, header or body.

const document = createSchemaResolver('asyncapi');
const envelope = document.definition('EventEnvelope');

function findSchema(type = ''): Schema {
  const words = type.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return document.definition(words.join(''));
}

const [anyType] = eventTypes;
/** The first event type's schema, changed to permit every event type in `type`. */
const event: Schema = { ...findSchema(anyType), properties: { ...findSchema(anyType).properties, type: envelope.properties?.type ?? {} } };

type Change = (object: Json) => Json;

const createObjectLocations = (types: readonly EventType[], change: (delivery: Delivery, change: Change) => Delivery): ObjectLocation[] =>
  types.map((type) => ({
    name: type,
    start: (wrong) => changeDelivery((delivery) => (isType(delivery, type) ? change(delivery, wrong) : undefined)),
  }));

const changeMember = (name: 'scope' | 'data') => (delivery: Delivery, change: Change) =>
  changeBody(delivery, (body) => ({ ...body, [name]: change(body[name]) }));

/** Excludes some events without data, because checks cannot tell which change such an event is about. */
const isDetectableMutant = ({ description }: DerivedMutant): boolean =>
  !/(assignment\.\w+|deleted) has (nothing|null) for data\.$/.test(description);
/** Header values are strings, so mutants cannot set null or a number. */
const isPossibleHeaderMutant = ({ description }: DerivedMutant): boolean => !/has (null|a number) for/.test(description);

/** Returns the second part of a rule id, such as `assignment` in `events.assignment.data.target-value`. */
const selectGroup = (type: EventType): string => (type.startsWith('provisioning.') ? 'provisioning' : (type.split('.')[1] ?? ''));

const resolve = document.resolve;
const members: readonly DerivedMutant[] = [
  ...createWrongMembers({
    resolve,
    schema: event,
    ruleOf: (member) => `events.envelope.${toKebabCase(member)}`,
    locationsOf: () => createObjectLocations(eventTypes, changeBody),
  }).filter(isDetectableMutant),
  ...createWrongMembers({
    resolve,
    schema: resolve(event.properties?.scope ?? {}),
    ruleOf: () => 'events.envelope.scope',
    locationsOf: () => createObjectLocations(eventTypes.slice(0, 1), changeMember('scope')),
  }),
  ...createWrongMembers({
    resolve,
    schema: document.definition('DeliveryHeaders'),
    ruleOf: (member) => `events.headers.${member}`,
    locationsOf: () => createObjectLocations(eventTypes, (delivery, change) => changeHeaders(delivery, change(delivery.headers))),
  }).filter(isPossibleHeaderMutant),
  ...[...Map.groupBy(eventTypes, selectGroup)].flatMap(([group, types]) =>
    createWrongMembers({
      resolve,
      schema: resolve(findSchema(types[0]).properties?.data ?? {}),
      ruleOf: (member) => `events.${group}.data.${toKebabCase(member)}`,
      locationsOf: () => createObjectLocations(types, changeMember('data')),
    }),
  ),
];

const WHOLE: readonly (readonly [RuleId, string, (delivery: Delivery) => Delivery])[] = [
  ['events.delivery.post', 'is delivered with PUT', (delivery) => ({ ...delivery, method: 'PUT' })],
  ['events.delivery.post', 'is delivered with GET and a body', (delivery) => ({ ...delivery, method: 'GET' })],
  ['events.delivery.json-content-type', 'is delivered as text/plain', (delivery) => setContentType(delivery, 'text/plain; charset=utf-8')],
  [
    'events.delivery.json-content-type',
    'is delivered as a form',
    (delivery) => setContentType(delivery, 'application/x-www-form-urlencoded'),
  ],
  ['events.delivery.json-content-type', 'is delivered without a content type', (delivery) => setContentType(delivery, undefined)],
  [
    'events.delivery.json-body',
    'is a form',
    (delivery) => ({ ...delivery, text: new URLSearchParams({ payload: delivery.text }).toString() }),
  ],
  ['events.delivery.json-body', 'is XML', (delivery) => ({ ...setContentType(delivery, 'application/xml'), text: '<event/>' })],
  ['events.delivery.json-body', 'has a prefix before its JSON', (delivery) => ({ ...delivery, text: `)]}',\n${delivery.text}` })],
];

export const eventMutants: readonly DerivedMutant[] = [
  ...members,
  ...WHOLE.map(([rule, how, change]) => ({ rule, description: `Every event ${how}.`, start: changeDelivery(change) })),
];
