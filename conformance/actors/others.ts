import type { Capability, Elsewhere } from '../target/capabilities.ts';
import type { Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';

type Place = keyof Elsewhere;

/** What others do for a check. What they make and do not remove is removed after the check. @param also what the check will need later: see Need. */
export type Others = <Who extends Place>(who: Who, ...also: readonly Capability[]) => Promise<Elsewhere[Who]>;

/** @property of what it was made for: the account of a user or a number. */
type Made = { readonly who: Place; readonly id: string; readonly of: unknown; readonly remove: (id: string) => Promise<void> };
type Maker = { readonly create: (...asked: never[]) => Promise<string>; readonly remove: (id: string) => Promise<void> };

/** @returns tidy removes what is left, the last first, and says what it cannot remove. */
export function createOthers(need: Need, ledger: Ledger): { readonly others: Others; tidy(): Promise<void> } {
  let made: Made[] = [];

  function remembering<Who extends Place>(who: Who, given: Elsewhere[Who]): Elsewhere[Who] {
    const maker = given as Maker;
    const watched: Maker = {
      ...maker,
      async create(...asked) {
        const id = await maker.create(...asked);
        // What the provider may remove through the API it does, as with its own.
        if (who.endsWith('.connections')) ledger.connection(id);
        else if (who.endsWith('.assignments')) ledger.assignment(id);
        else made.push({ who, id, of: asked[0], remove: maker.remove });
        return id;
      },
      async remove(id) {
        await maker.remove(id);
        // What belongs to an account goes with it.
        made = made.filter((each) => !(each.who === who && each.id === id) && !(who === 'platform.accounts' && each.of === id));
      },
    };
    return watched as Elsewhere[Who];
  }

  return {
    others: async (who, ...also) => remembering(who, (await need(who, 'write', ...also)) as Elsewhere[typeof who]),
    async tidy() {
      for (const { who, id, remove } of made.reverse())
        await remove(id).catch((error: Error) => console.error(`left behind: ${id} of ${who} (${error.message})`));
    },
  };
}
