import { InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';

type State = components['schemas']['DeliveryState'];

// A state of the contract that is missing here does not compile.
const STATES: Readonly<Record<State, true>> = { pending: true, acknowledged: true, exhausted: true, held: true };

/** The type of a delivery whose payload was made up, and names none of the contract. */
const RAW = 'raw';
type DeliveryType = EventType | typeof RAW;

/** Which deliveries are meant. */
export interface DeliveryFlags {
  readonly subscription?: string;
  readonly type?: DeliveryType;
  readonly state?: State;
}

export const subscriptionOption = () => new Option('--subscription <name>', 'only of this subscription (alias or id)');
export const typeOption = () =>
  new Option('--type <type>', `only events of this type, or ${RAW}: payloads that name none`).argParser((text) =>
    known(text, [...eventTypes, RAW]),
  );
export const stateOption = (description: string) => new Option('--state <state>', description).choices(Object.keys(STATES));

/** An argument that is an event type (Events › Event types). */
export const eventType = (text: string): EventType => known(text, eventTypes);

function known<Type extends string>(text: string, types: readonly Type[]): Type {
  const found = types.find((type) => type === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`There is no event type "${text}".${didYouMean(text, types) || ` There are: ${types.join(', ')}.`}`);
}

/** An argument that is event types with commas between them, or `all`. */
export function someEventTypes(text: string): readonly EventType[] {
  if (text === 'all') return eventTypes;
  return [...new Set(text.split(',').map((part) => eventType(part.trim())))];
}
