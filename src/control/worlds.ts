import { createControlFailure, isFailure } from '../contract/failure.ts';
import { type ControlDeps, type ControlHandlers, refuseAtProxy } from './handler.ts';

/** Worlds beside the first one. Only the first world's control API has them. */
export const worldsHandlers: Pick<
  ControlHandlers,
  'createWorld' | 'listWorlds' | 'deleteWorld' | 'listEndedWorlds' | 'listEndedWorldRequests'
> = {
  async createWorld({ body }, deps) {
    if (deps.worlds === undefined) return refuseElsewhere(deps);
    const created = await deps.worlds.create(body);
    return isFailure(created) ? created : { status: 201, body: created };
  },
  listWorlds: async (_, deps) => (deps.worlds === undefined ? refuseElsewhere(deps) : { status: 200, body: await deps.worlds.list() }),
  async deleteWorld({ params: { name } }, deps) {
    if (deps.worlds === undefined) return refuseElsewhere(deps);
    if (await deps.worlds.end(name)) return { status: 204 };
    return createControlFailure(
      'not-found',
      `There is no world ${JSON.stringify(name)}. List them with xpk world list or GET /_control/worlds.`,
    );
  },
  listEndedWorlds: async (_, deps) => (deps.worlds === undefined ? refuseElsewhere(deps) : { status: 200, body: deps.worlds.listEnded() }),
  async listEndedWorldRequests({ params: { name } }, deps) {
    if (deps.worlds === undefined) return refuseElsewhere(deps);
    const requests = deps.worlds.listEndedRequests(name);
    if (requests) return { status: 200, body: [...requests] };
    return createControlFailure(
      'not-found',
      `The kit has no requests of an ended world ${JSON.stringify(name)}. List the ended worlds with xpk world ended or GET /_control/ended/worlds. xpk logs --url KIT/w/NAME shows the requests to a world that has not ended.`,
    );
  },
};

function refuseElsewhere({ about: { prefix, baseUrl, upstream } }: ControlDeps) {
  if (upstream) return refuseAtProxy(upstream);
  const kitUrl = baseUrl().slice(0, -prefix.length);
  return createControlFailure('conflict', `A world has no worlds. Send the request to the kit: ${kitUrl}/_control/worlds.`);
}
