import { nearestOf } from '../../../contract/did-you-mean.ts';
import type { LevelName } from '../../../contract/evidence.ts';
import type { Case } from '../case.ts';

const E164 = /^\+[1-9]\d{1,14}$/;
/** Said where neither the world nor the request has any: that of the specification's own words. */
const EXAMPLE = '+12065550100';

/** A text as the number that it is without its blanks, brackets and the plus, which a query takes for a blank. Undefined where it is none. */
export function asNumber(value: string): string | undefined {
  const number = `+${value.replaceAll(/[+ ().-]/g, '')}`;
  return E164.test(number) ? number : undefined;
}

/**
 * The telephone numbers that a text was probably meant to be: those of the world, for one that nobody has is well formed and of no use. What is well
 * formed alone is said where there is none.
 *
 * @param level what the caller needs on the account that has the number. Numbers of others come where the caller has none.
 */
export function numbersMeant({ world, view }: Case, value: string, level: LevelName): string[] {
  const digits = value.replaceAll(/\D/g, '');
  const written = `+${digits}`;
  const all = Object.keys(world.telephoneNumbers ?? {});
  if (all.length === 0) return [E164.test(written) ? written : EXAMPLE].filter((number) => number !== value);
  const inReach = view.numbers(level).map(({ number }) => number);
  const candidates = inReach.length > 0 ? inReach : all;
  // Written in full, its owner does not matter: it was meant. Without the code of its country, it ends like one.
  const found = [
    all.find((number) => number === written),
    digits === '' ? undefined : candidates.find((number) => number.endsWith(digits)),
    nearestOf(written, candidates),
    ...(inReach.length > 0 ? [] : all.slice(0, 1)),
  ];
  return found.filter((number) => number !== undefined && number !== value) as string[];
}
