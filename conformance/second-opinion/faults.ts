import type { OperationId } from '../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { answering, type Reply, withHeaders } from '../sabotage/exchange.ts';
import { bodyOf, type Exchange, shapeOf } from './exchanges.ts';

type Json = Readonly<Record<string, unknown>>;
type Faulty = readonly [fault: string, reply: Reply];

/** Answers made wrong on purpose (and some that only look so): in their status for each operation, in the rest for each schema. */
export function faultyOnes(exchanges: readonly Exchange[]): Exchange[] {
  const withBody = exchanges.filter(({ reply }) => reply.text !== '');
  const byAnswer = fullestOfEach(withBody, ({ operation, reply }) => `${operation} ${reply.status < 400}`);
  const bySchema = fullestOfEach(withBody, ({ operation, reply }) => schemaOf(operation, reply.status));
  return [
    ...byAnswer.flatMap((exchange) => otherStatuses(exchange.reply).map((faulty) => faultOf(exchange, faulty))),
    ...bySchema.flatMap((exchange) =>
      [...otherTypes(exchange.reply), ...otherBodies(exchange.reply), ...otherMembers(exchange.reply)].map((faulty) =>
        faultOf(exchange, faulty),
      ),
    ),
  ];
}

/** Of each kind the one whose body has the most to it: an empty page has no entity to change. */
function fullestOfEach(exchanges: readonly Exchange[], kindOf: (exchange: Exchange) => string | undefined): Exchange[] {
  const sizeOf = ({ reply }: Exchange) => shapeOf(bodyOf(reply)).length;
  return [...Map.groupBy(exchanges, kindOf)].flatMap(([kind, those]) =>
    kind === undefined ? [] : [those.reduce((fullest, each) => (sizeOf(each) > sizeOf(fullest) ? each : fullest))],
  );
}

function faultOf(exchange: Exchange, [fault, reply]: Faulty): Exchange {
  return { ...exchange, fault, reply };
}

function schemaOf(operation: OperationId, status: number): string | undefined {
  const schemas: Readonly<Record<string, string>> = schemaReferences.responses[operation];
  return schemas[status] ?? schemas[`${Math.floor(status / 100)}XX`];
}

function otherStatuses(reply: Reply): Faulty[] {
  return (reply.status < 400 ? [202, 206] : [402, 418, 502]).map((status) => [`status ${status}`, { ...reply, status }]);
}

function otherTypes(reply: Reply): Faulty[] {
  const type = reply.headers['content-type']?.split(';')[0];
  const types = ['text/plain', 'text/html; charset=utf-8', 'application/xml', 'application/json', 'application/problem+json'];
  return [...types, `${type}; charset=utf-8`, `${type}; charset=iso-8859-1`, undefined].map((other) => [
    `content type ${other}`,
    withHeaders(reply, { 'content-type': other }),
  ]);
}

function otherBodies(reply: Reply): Faulty[] {
  return [
    ['no body', { ...reply, text: '' }],
    ['half a body', { ...reply, text: reply.text.slice(0, reply.text.length / 2) }],
    ['body in a list', answering(reply, [bodyOf(reply)])],
    ...[null, [], 'a text', {}].map((body): Faulty => [`body ${JSON.stringify(body)}`, answering(reply, body)]),
  ];
}

/** Each member of the body, and of the first entity of a page, is left out or is what it should not be. */
function otherMembers(reply: Reply): Faulty[] {
  const body = bodyOf(reply) as Json;
  const [entity] = (body.entities ?? []) as readonly Json[];
  const others = [
    ...membersChanged(body),
    ['one more member', { ...body, more: true }] as const,
    ...(entity ? membersChanged(entity).map(([fault, changed]) => [`entities/0/${fault}`, { ...body, entities: [changed] }] as const) : []),
  ];
  return others.map(([fault, changed]) => [fault, answering(reply, changed)]);
}

function membersChanged(object: Json): (readonly [fault: string, changed: Json])[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const { [name]: _, ...rest } = object;
    const others = othersThan(value).map((other) => [`${name} ${JSON.stringify(other)}`, { ...object, [name]: other }] as const);
    return [[`${name} left out`, rest] as const, ...others];
  });
}

const OTHER_MOMENTS = ['2026-03-01T09:30:00+01:00', '2026-03-01', '2026-02-30T09:30:00Z'];

function othersThan(value: unknown): unknown[] {
  if (typeof value === 'string') return [null, 7, 'some other text', ...(/^\d{4}-\d\d-\d\dT/.test(value) ? OTHER_MOMENTS : [])];
  if (typeof value === 'number') return [null, `${value}`, value + 0.5, -value];
  if (typeof value === 'boolean') return [null, `${value}`, 1];
  if (Array.isArray(value)) return [null, {}, [], [null], ['a text']];
  return [7, 'some other text', {}];
}
