import type { Capability, Elsewhere } from '../target/capabilities.ts';
import type { Cleanup, Created } from '../target/cleanup.ts';
import type { Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';

type Place = keyof Elsewhere;

/**
 * What the portal and the platform do for a check. What they create and do not remove is removed after the check.
 * @param also what the check needs later: see Need.
 */
export type Others = <Who extends Place>(who: Who, ...also: readonly Capability[]) => Promise<Elsewhere[Who]>;

type Maker = { readonly create: (...args: never[]) => Promise<string>; readonly remove: (id: string) => Promise<void> };

interface Entry {
  readonly who: Place;
  readonly id: string;
  /** The first argument of its creation: the account of a user or a number. */
  readonly owner: unknown;
  readonly created: Created;
}

export function createOthers(need: Need, ledger: Ledger, cleanup: Cleanup): Others {
  let entries: Entry[] = [];

  function tracked<Who extends Place>(who: Who, given: Elsewhere[Who]): Elsewhere[Who] {
    const maker = given as Maker;
    const tracking: Maker = {
      ...maker,
      async create(...args) {
        const id = await maker.create(...args);
        // The provider can delete these through the API, as it deletes its own.
        if (who.endsWith('.connections')) ledger.connection(id);
        else if (who.endsWith('.assignments')) ledger.assignment(id);
        else entries.push({ who, id, owner: args[0], created: cleanup.add(`${id} of ${who}`, () => maker.remove(id)) });
        return id;
      },
      async remove(id) {
        await maker.remove(id);
        // What belongs to an account is removed with it.
        const isGone = (entry: Entry) => (entry.who === who && entry.id === id) || (who === 'platform.accounts' && entry.owner === id);
        for (const entry of entries) if (isGone(entry)) entry.created.forget();
        entries = entries.filter((entry) => !isGone(entry));
      },
    };
    return tracking as Elsewhere[Who];
  }

  return async (who, ...also) => tracked(who, (await need(who, 'write', ...also)) as Elsewhere[typeof who]);
}
