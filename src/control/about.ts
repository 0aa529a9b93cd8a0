import type { components } from '../contract/generated/control.ts';
import type { ControlHandlers } from './handler.ts';

type Schemas = components['schemas'];

export const aboutHandlers: Pick<ControlHandlers, 'health' | 'live' | 'info'> = {
  async health(_, { store, getDrainingSignal, about: { upstream } }) {
    const database = await store.health();
    const isUp = database.status === 'up';
    const status = !isUp ? 'degraded' : getDrainingSignal().aborted ? 'draining' : 'up';
    const body: Schemas['Health'] = { status, ...(upstream && { proxyOf: upstream.api }), engine: store.engine, parts: { database } };
    return { status: status === 'up' ? 200 : 503, body };
  },
  live: () => ({ status: 200, body: { status: 'up' } }),
  async info(_, { store, world, decisions, about: { version, settings, baseUrl, upstream }, createReadyMadeTokens }) {
    const body: Schemas['Info'] = {
      version,
      ...(upstream && { upstream }),
      world: world.name,
      baseUrl: baseUrl(),
      engine: store.engine,
      replicas: await store.replicas(),
      perReplica: store.engine === 'postgres' ? ['reports'] : [],
      settings: { ...settings },
      decisions: { ...decisions },
      tokens: await createReadyMadeTokens(),
    };
    return { status: 200, body };
  },
};
