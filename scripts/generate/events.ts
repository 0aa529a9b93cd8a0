/** The events: each message's payload by event type. */
import { isObject, type JsonObject, objectAt, type Problems, resolve } from './documents.ts';
import { quote } from './write-typescript.ts';

/** The payload schema of every message, by the event type that its `name` gives. References stay as they are. */
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

/** The constant that a payload gives for `type`, in itself or in a part of it. */
function constantType(document: JsonObject, schema: JsonObject): string | undefined {
  const payload = resolve(document, schema);
  const constant = objectAt(objectAt(payload, 'properties'), 'type').const;
  if (typeof constant === 'string') return constant;
  const parts = Array.isArray(payload.allOf) ? payload.allOf : [];
  return parts.map((part) => (isObject(part) ? constantType(document, part) : undefined)).find((type) => type !== undefined);
}

/** What consumers of the types need beside openapi-typescript's: the event types as a list, and the event of a type. */
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
