import type { components } from '../contract/generated/control.ts';
import type { ControlHandlers } from './handler.ts';

type Info = components['schemas']['Info'];

/** Whether the kit is up, and what runs here. */
export const about: Pick<ControlHandlers, 'health' | 'info'> = {
  async health(_, { store }) {
    await store.db.selectFrom('meta').select('key').limit(1).execute();
    return { status: 200, body: { status: 'up', engine: store.engine } };
  },
  async info(_, { store, world, decisions, about: { version, settings, baseUrl }, readyTokens }) {
    const body: Info = {
      version,
      world: world.name,
      baseUrl: baseUrl(),
      engine: store.engine,
      perReplica: store.engine === 'postgres' ? ['rate limits', 'faults', 'journal'] : [],
      settings: { ...settings },
      decisions: { ...decisions },
      tokens: await readyTokens(),
    };
    return { status: 200, body };
  },
};
