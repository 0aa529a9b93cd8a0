import type { components } from '../contract/generated/control.ts';
import type { WorldRecord } from '../store/world-records.ts';

type Schemas = components['schemas'];

/** How many worlds are kept, and how many requests of each. */
const MAX_WORLDS = 20;
export const MAX_REQUESTS = 100;

/** Keeps the latest requests to worlds that have ended, because the report on a test is often read after the test's end. */
export function createEndedWorlds() {
  let ended: readonly { readonly world: Schemas['EndedWorld']; readonly requests: readonly Schemas['JournalEntry'][] }[] = [];
  return {
    keep({ name, from, label, world, createdAt }: WorldRecord, requests: readonly Schemas['JournalEntry'][]): void {
      const times = { createdAt: new Date(createdAt).toISOString(), endedAt: new Date().toISOString() };
      const described = { name, from, ...(label !== undefined && { label }), world, ...times, requests: requests.length };
      ended = [{ world: described, requests }, ...ended].slice(0, MAX_WORLDS);
    },
    list: () => ended.map(({ world }) => world),
    listRequests: (name: string) => ended.find(({ world }) => world.name === name)?.requests,
  };
}
