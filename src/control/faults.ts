import type { FaultRequest } from '../http/faults.ts';
import { type ControlHandlers, cannot } from './handler.ts';

/** Failures on purpose. */
export const faults: Pick<ControlHandlers, 'listFaults' | 'addFault' | 'removeFault' | 'clearFaults'> = {
  listFaults: (_, deps) => ({ status: 200, body: deps.faults.list() }),
  addFault({ body }, deps) {
    const added = deps.faults.add(body as FaultRequest);
    return 'invalid' in added ? cannot('invalid', added.invalid) : { status: 201, body: added };
  },
  removeFault: ({ params }, deps) =>
    deps.faults.remove(params.faultId ?? '') ? { status: 204 } : cannot('not-found', 'there is no such fault'),
  clearFaults(_, deps) {
    deps.faults.clear();
    return { status: 204 };
  },
};
