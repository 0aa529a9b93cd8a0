/** The events of the contract. */
import { isObject, type JsonObject, objectAt, type Problems, resolve } from './documents.ts';
import { quote } from './write-typescript.ts';

/** The payload schema of every message, by event type (the `name` of the message). Does not resolve references. */
export function readEvents(document: JsonObject, problems: Problems): Record<string, JsonObject> {
  const events: Record<string, JsonObject> = {};
  for (const [id, message] of Object.entries(objectAt(objectAt(document, 'components'), 'messages'))) {
    const place = `openapi/asyncapi.yaml#/components/messages/${id}`;
    if (!isObject(message) || typeof message.name !== 'string') problems.add(place, 'has no name that gives the event type');
    else if (!isObject(message.payload)) problems.add(place, 'has no payload');
    else {
      const type = constantType(document, message.payload);
      if (type !== message.name) problems.add(place, `is named ${message.name}, but its payload says the type ${type}`);
      events[message.name] = message.payload;
    }
  }
  return events;
}

/** The constant for `type` in a payload schema or in one of its parts. */
function constantType(document: JsonObject, schema: JsonObject): string | undefined {
  const payload = resolve(document, schema);
  const constant = objectAt(objectAt(payload, 'properties'), 'type').const;
  if (typeof constant === 'string') return constant;
  const parts = Array.isArray(payload.allOf) ? payload.allOf : [];
  return parts.map((part) => (isObject(part) ? constantType(document, part) : undefined)).find((type) => type !== undefined);
}

/** Additions to the types from openapi-typescript: a list of the event types, and the event of a type. */
export function writeEventNames(events: Record<string, JsonObject>): string {
  return `
/** Every event type (Events › Event types). */
export const eventTypes = [
${Object.keys(events)
  .map((type) => `  ${quote(type)},\n`)
  .join('')}] as const;

export type EventType = (typeof eventTypes)[number];

/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<ExperienceProviderEvent, { type: Type }>;
`;
}
