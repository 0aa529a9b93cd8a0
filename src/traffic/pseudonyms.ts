import type { LearnedFacts } from './learned-facts.ts';

/** What a recorded world has in place of what the service showed. */
export interface Names {
  id(id: string): string;
  number(number: string): string;
  first(name: string): string;
  last(name: string): string;
  nativeId(id: string): { readonly style: 'base62' | 'legacy-numeric'; readonly id: string };
}

const findStyle = (id: string) => (/^\d+$/.test(id) ? 'legacy-numeric' : 'base62');

export const realNames: Names = {
  id: (id) => id,
  number: (number) => number,
  first: (name) => name,
  last: (name) => name,
  nativeId: (id) => ({ style: findStyle(id), id }),
};

/**
 * Returns names that sort as the real ones, and ids that sort in the order in which the service listed its entities, so that lists have the
 * same order. Equal names stay equal.
 */
export function createPseudonyms({ accounts, experiences, numbers, users, connections, assignments }: LearnedFacts): Names {
  const listed = [...users.values()];
  const sort = (texts: Iterable<string>) => rank([...texts].sort());
  const ids = rank([accounts, experiences, users, connections, assignments].flatMap((each) => [...each.keys()]));
  const ofNumbers = sort(numbers.keys());
  const first = sort(listed.map(({ firstName }) => firstName ?? ''));
  const last = sort(listed.map(({ lastName }) => lastName ?? ''));
  const native = sort(listed.flatMap(({ nativeIds }) => nativeIds));
  return {
    id: (id) => `019b0000-0000-7000-8000-${ids(id).toString(16).padStart(12, '0')}`,
    // Numbers that end in 555-0100 to 555-0199 are reserved for fiction, in every area.
    number: (number) => `+1${200 + Math.floor(ofNumbers(number) / 100)}5550${100 + (ofNumbers(number) % 100)}`,
    first: (name) => `First ${pad(first(name))}`,
    last: (name) => `Last ${pad(last(name))}`,
    nativeId: (id) => {
      const style = findStyle(id);
      return { style, id: style === 'base62' ? `native_${pad(native(id))}` : `${9_000_000_000 + native(id)}` };
    },
  };
}

const pad = (number: number): string => `${number}`.padStart(5, '0');

/** Returns a function that numbers the texts in their order, from 1. */
function rank(texts: readonly string[]): (text: string) => number {
  const ranks = new Map([...new Set(texts)].map((text, index) => [text, index + 1]));
  return (text) => ranks.get(text) ?? 0;
}
