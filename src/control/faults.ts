import type { FaultRequest } from '../world/fault-checks.ts';
import { type ControlHandlers, refuseRequest } from './handler.ts';

export const faultHandlers: Pick<ControlHandlers, 'listFaults' | 'addFault' | 'removeFault' | 'clearFaults'> = {
  listFaults: async (_, deps) => ({ status: 200, body: await deps.faults.list() }),
  async addFault({ body }, deps) {
    const added = await deps.faults.add(body as FaultRequest);
    return 'reason' in added ? refuseRequest('invalid', added.reason, added.pointer) : { status: 201, body: added };
  },
  removeFault: async ({ params: { faultId } }, deps) =>
    (await deps.faults.remove(faultId))
      ? { status: 204 }
      : refuseRequest('not-found', `There is no fault "${faultId}". List them with xpk fault list or GET /_control/faults.`),
  async clearFaults(_, deps) {
    await deps.faults.clear();
    return { status: 204 };
  },
};
