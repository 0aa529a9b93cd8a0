import type { Json } from '../exchange.ts';

export const TARGET_TYPES = ['ACCOUNT', 'PHONE_NUMBER', 'USER'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** One for each type of target. */
export function ofEachType<T>(make: (type: TargetType) => T): readonly [T, T, T] {
  return [make('ACCOUNT'), make('PHONE_NUMBER'), make('USER')];
}

/** Whether a target is of this type. */
export const isOfType =
  (type: TargetType) =>
  ({ targetType }: Json): boolean =>
    targetType === type;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const E164 = /^\+[1-9][0-9]{1,14}$/;

/** Whether a value has the format of another type of target than the one said. */
export function fitsAnotherType({ targetType, targetValue }: Json): boolean {
  return (targetType === 'PHONE_NUMBER' ? UUID : E164).test(String(targetValue));
}
