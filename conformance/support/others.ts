import type { Capabilities } from './capabilities.ts';
import type { Ledger } from './ledger.ts';
import type { Need } from './need.ts';

type Place = Extract<keyof Capabilities, `portal.${string}` | `platform.${string}`>;

/** What others than the provider do: in an end-user portal, or on the platform. */
export type Elsewhere = Pick<Capabilities, Place>;

/** What others do for a check. What they make and do not remove is removed after the check. */
export type Others = <Who extends Place>(who: Who) => Promise<Elsewhere[Who]>;

type Made = { readonly who: Place; readonly id: string; readonly remove: (id: string) => Promise<void> };
type Maker = { readonly create: (...asked: never[]) => Promise<string>; readonly remove: (id: string) => Promise<void> };

/** @returns tidy removes what is left, the last first, and says what it cannot remove. */
export function createOthers(need: Need, ledger: Ledger): { readonly others: Others; tidy(): Promise<void> } {
  const made: Made[] = [];

  function remembering<Who extends Place>(who: Who, given: Elsewhere[Who]): Elsewhere[Who] {
    const maker = given as Maker;
    const watched: Maker = {
      ...maker,
      async create(...asked) {
        const id = await maker.create(...asked);
        // What the provider may remove through the API it does, as with its own.
        if (who.endsWith('.connections')) ledger.connection(id);
        else if (who.endsWith('.assignments')) ledger.assignment(id);
        else made.push({ who, id, remove: maker.remove });
        return id;
      },
      async remove(id) {
        await maker.remove(id);
        const at = made.findIndex((each) => each.who === who && each.id === id);
        if (at >= 0) made.splice(at, 1);
      },
    };
    return watched as Elsewhere[Who];
  }

  return {
    others: async (who) => {
      await need('write');
      return remembering(who, (await need(who)) as Elsewhere[typeof who]);
    },
    async tidy() {
      for (const { who, id, remove } of made.reverse())
        await remove(id).catch((error: Error) => console.error(`left behind: ${id} of ${who} (${error.message})`));
    },
  };
}
