// Counts the requests that a kit in this process receives, and fails the suite run if the number is higher than recorded. Start it
// with `node --import ./scripts/suite-requests.ts bin/xpk.cjs conformance`.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** The recorded number of requests. Update the number after a change that needs more requests. */
const RECORDED_COUNT = 7_020;
/** The maximum difference between runs. The suite repeats requests that received a 429 or arrived too late. */
const MAX_DIFFERENCE = 0.06;
/**
 * Requests that are not counted: the bursts for the rate limit rules, which are repeated on a slow machine, and the polls for pending
 * deliveries.
 */
const NOT_COUNTED = /\/(assignability|_control\/deliveries)\b/;

let requests = 0;
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  if (!NOT_COUNTED.test(request.url ?? '')) requests += 1;
});

process.on('exit', () => {
  if (requests <= RECORDED_COUNT * (1 + MAX_DIFFERENCE)) return;
  console.error(
    `The suite sent ${requests} requests to the kit instead of ${RECORDED_COUNT}. The recorded number is in scripts/suite-requests.ts.`,
  );
  process.exitCode ||= 1;
});
