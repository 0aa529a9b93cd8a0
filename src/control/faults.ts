import type { FaultRequest } from '../world/fault-checks.ts';
import { type ControlHandlers, cannot } from './handler.ts';

/** Failures on purpose. */
export const faults: Pick<ControlHandlers, 'listFaults' | 'addFault' | 'removeFault' | 'clearFaults'> = {
  listFaults: (_, deps) => ({ status: 200, body: deps.faults.list() }),
  addFault({ body }, deps) {
    const added = deps.faults.add(body as FaultRequest);
    if (!('reason' in added)) return { status: 201, body: added };
    const { reason, pointer } = added;
    return { ...cannot('invalid', reason), errors: [{ pointer, message: reason }] };
  },
  removeFault: ({ params }, deps) =>
    deps.faults.remove(params.faultId ?? '')
      ? { status: 204 }
      : cannot('not-found', `There is no fault "${params.faultId}". List them with xpk fault list or GET /_control/faults.`),
  clearFaults(_, deps) {
    deps.faults.clear();
    return { status: 204 };
  },
};
