import { InvalidArgumentError, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { didYouMean } from '../fixtures/nearest.ts';

type State = components['schemas']['DeliveryState'];

// A state of the contract that is missing here does not compile.
const STATES: Readonly<Record<State, true>> = { pending: true, acknowledged: true, exhausted: true, held: true };

/** Which deliveries are meant. */
export interface DeliveryFlags {
  readonly subscription?: string;
  readonly type?: EventType;
  readonly state?: State;
}

export const subscriptionOption = () => new Option('--subscription <name>', 'only of this subscription (alias or id)');
export const typeOption = () => new Option('--type <type>', 'only events of this type').argParser(eventType);
export const stateOption = (description: string) => new Option('--state <state>', description).choices(Object.keys(STATES));

/** An argument that is an event type (Events › Event types). */
export function eventType(text: string): EventType {
  const known = eventTypes.find((type) => type === text);
  if (known) return known;
  throw new InvalidArgumentError(
    `There is no event type "${text}".${didYouMean(text, eventTypes) || ` There are: ${eventTypes.join(', ')}.`}`,
  );
}

/** An argument that is event types with commas between them, or `all`. */
export function someEventTypes(text: string): readonly EventType[] {
  if (text === 'all') return eventTypes;
  return [...new Set(text.split(',').map((part) => eventType(part.trim())))];
}
