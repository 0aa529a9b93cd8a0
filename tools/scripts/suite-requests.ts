// Fails a conformance run whose kit gets more requests than RECORDED_COUNT permits. To run the suite with this limit:
// node --import ./tools/scripts/suite-requests.ts src/cli/xpk.cjs conformance
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { recordFigures } from './figures.ts';

/** The recorded number of requests. Update it when the suite needs more requests. */
const RECORDED_COUNT = 10_100;
/** The permitted increase, as a fraction of RECORDED_COUNT, because the suite repeats requests after a 429 or a delay. */
const MAX_DIFFERENCE = 0.06;
/** Requests that are not counted, because their number depends on the machine's speed. */
const UNCOUNTED_PATTERN = /\/(assignability|_control\/deliveries)\b/;
const UNCOUNTED_CLIENT = 'xpk-explorer';

let requests = 0;
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  if (!UNCOUNTED_PATTERN.test(request.url ?? '') && request.headers['user-agent'] !== UNCOUNTED_CLIENT) requests += 1;
});

process.on('exit', (status) => {
  // Playwright's processes also load this file. Only the process of the kit records the figure.
  if (process.send === undefined && !process.argv.some((argument) => argument.startsWith('--rule')))
    recordFigures('suite', { requests, failures: status });
  if (requests <= RECORDED_COUNT * (1 + MAX_DIFFERENCE)) return;
  console.error(
    `The suite sent ${requests} requests to the kit instead of ${RECORDED_COUNT}. The recorded number is in tools/scripts/suite-requests.ts.`,
  );
  process.exitCode ||= 1;
});
