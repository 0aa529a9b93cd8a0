import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import { type Delivered, dataIn, isType, withData } from '../delivered.ts';
import type { Json } from '../exchange.ts';
import { delivering, reddening, type Saboteur } from '../saboteur.ts';
import { ELSEWHERE, GOING_ALONG, ofCauses } from './events-causes.ts';

// What the servers that deliver events with wrong contents have in common.

export type Saboteurs = readonly [Saboteur, ...Saboteur[]];

/** How a value is sent that is wrong; undefined: left out. */
export type Way = readonly [how: string, wrong: (value: string) => unknown];

export const UUID_WAYS: readonly Way[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['it with a prefix', (id) => `id-${id}`],
  ['an empty text', () => ''],
];
export const TEXT_WAYS: readonly Way[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['an object', (text) => ({ value: text })],
  ['a number', () => 4711],
];
export const INSTANT_WAYS: readonly Way[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['milliseconds', (instant) => Date.parse(instant)],
  ['a day', (instant) => instant.slice(0, 10)],
];

/**
 * Servers that send a member in each of these ways, each in one type of event alone, so that every type has to be looked at; the first two of them only
 * where it is not the API that caused it.
 * @param types of connections and assignments the first one is that of deletion
 */
export function eachInOne(member: string, types: readonly EventType[], ways: readonly Way[]): Saboteurs {
  return ways.map(([how, wrong], index) => {
    const type = types[index % types.length] as EventType;
    const does = `Sends ${how} for ${member} in ${type}`;
    const change = (delivery: Delivered) => withData(delivery, { [member]: wrong(dataIn(delivery)[member]) });
    if (type.startsWith('provisioning.') || index > 1) return ofType(`${does}.`, [type], change);
    return index === 0
      ? ofCauses(`${does} where it goes with its account or its target.`, [type], GOING_ALONG, change)
      : ofCauses(`${does} where it is done in a portal or on the platform.`, [type], ELSEWHERE, change);
  }) as unknown as Saboteurs;
}

/** Servers whose events other checks do not know again, and take for lost. */
export function unrecognized(saboteurs: Saboteurs): Saboteurs {
  const because = 'Whatever waits for the event knows it by this.';
  return saboteurs.map((server) => reddening(30, because, server)) as unknown as Saboteurs;
}

/** A saboteur that changes members of the data in events of these types: what is undefined is left out. */
export function inData(does: string, types: readonly EventType[], change: (data: Json) => Json): Saboteur {
  return ofType(does, types, (delivery) => withData(delivery, change(dataIn(delivery))));
}

/** A saboteur that changes events of these types. */
export function ofType(
  does: string,
  types: readonly EventType[],
  change: (delivery: Delivered) => Delivered | Promise<Delivered>,
): Saboteur {
  return delivering(does, (delivery) => (isType(delivery, ...types) ? change(delivery) : undefined));
}

/** A saboteur that changes every event. */
export function always(does: string, change: (delivery: Delivered) => Delivered): Saboteur {
  return ofType(does, eventTypes, change);
}

/** The instant so many hours before, in the same form. */
export function hoursBefore(instant: string, hours: number): string {
  return new Date(Date.parse(instant) - hours * 3_600_000).toISOString();
}
