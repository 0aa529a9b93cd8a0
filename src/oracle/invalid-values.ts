import type { HostileValue } from '../refusals/hostile-value.ts';
import {
  createHostilePageSizes,
  HOSTILE_NUMBERS,
  HOSTILE_TARGET_TYPES,
  HOSTILE_TARGETS,
  HOSTILE_UUIDS,
  type TargetType,
  UNKNOWN_NUMBER,
  VALID_UUID,
} from '../refusals/hostile-values.ts';
import type { Decks } from './decks.ts';

/** No server sorts by these. The last ones exist on every JavaScript object. */
const HOSTILE_SORTS = ['no such field', '*', 'createdAt;', 'constructor', 'toString', '__proto__'].map((value) => ({ value, flaw: '' }));

/** The example checks send every invalid value, but with the id or number of nothing, so that a server may refuse it for that. */
const WHOLE_SHARE = 0.75;

/**
 * Draws an invalid value of a parameter or member. Mostly it contains the whole valid id or number, because a server that accepts the value
 * then finds the entity.
 * @param given the valid values of the request
 */
export function drawInvalidValue(decks: Decks, name: string, given: Readonly<Record<string, unknown>>, maximum = 100): string {
  const valid = given[name];
  const values = findInvalidValues(name, given, maximum);
  const deck = `${name} ${name === 'targetValue' ? given.targetType : ''} up to ${maximum}`;
  if (typeof valid === 'string' && decks.random() < WHOLE_SHARE) {
    const whole = values.filter(({ value }) => [VALID_UUID, UNKNOWN_NUMBER].some((each) => value.includes(each) && value !== each));
    if (whole.length > 0)
      return decks
        .draw(`${deck} in full`, whole)
        .value.replace(VALID_UUID, () => valid)
        .replace(UNKNOWN_NUMBER, () => valid);
  }
  return decks.drawValue(deck, values);
}

function findInvalidValues(name: string, given: Readonly<Record<string, unknown>>, maximum: number): readonly HostileValue[] {
  if (name === 'accountId' || name === 'experienceId') return HOSTILE_UUIDS;
  if (name === 'telephoneNumber' || name === 'tn') return HOSTILE_NUMBERS;
  if (name === 'targetType') return HOSTILE_TARGET_TYPES;
  if (name === 'targetValue') return HOSTILE_TARGETS[given.targetType as TargetType];
  if (name === 'pageSize') return createHostilePageSizes(maximum);
  return HOSTILE_SORTS;
}
