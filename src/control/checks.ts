import { createGateFailure, isFailure } from '../contract/failure.ts';
import { waitForChange } from '../store/changes.ts';
import { type ControlHandlers, refuseRequest } from './handler.ts';

const NOT_FOUND = refuseRequest('not-found', 'This kit has no check with this id. List the checks with GET /_control/checks.');

export const checkHandlers: Pick<ControlHandlers, 'listChecks' | 'startCheck' | 'readCheck' | 'stopCheck'> = {
  listChecks: (_, { checks }) => ({ status: 200, body: checks.list() }),
  async startCheck({ body }, { checks }) {
    const started = await checks.start(body);
    return isFailure(started) ? started : { status: 202, body: started };
  },
  async readCheck({ params, query: { waitMs = 0 } }, { checks, getClosingSignal }) {
    const deadline = performance.now() + waitMs;
    const closing = getClosingSignal();
    for (;;) {
      const seen = checks.changes.count;
      const check = checks.read(params.checkId);
      if (check === undefined) return NOT_FOUND;
      const leftMs = deadline - performance.now();
      if (check.state !== 'running' || leftMs <= 0) return { status: 200, body: check };
      if (closing.aborted) return createGateFailure('http.shutting-down');
      await waitForChange(checks.changes, seen, leftMs, closing);
    }
  },
  stopCheck: ({ params }, { checks }) => (checks.stop(params.checkId) ? { status: 204 } : NOT_FOUND),
};
