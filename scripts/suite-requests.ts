// Counts the requests that a kit gets in this process, and fails the run of the suite if there are more than before. Start it with
// `node --import ./scripts/suite-requests.ts bin/xpk.cjs conformance`.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** The number of requests that the suite sent when this number was last set. Set it again after a change that is worth its requests. */
const WAS = 7_020;
/** How much the number differs between runs, because the suite repeats what got a 429 or arrived too late. */
const SPREAD = 0.06;
/** Not counted: the bursts of the rate rules, which are repeated on a slow machine, and the polls until nothing is to be delivered. */
const REPEATED = /\/(assignability|_control\/deliveries)\b/;

let requests = 0;
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  if (!REPEATED.test(request.url ?? '')) requests += 1;
});

process.on('exit', () => {
  if (requests <= WAS * (1 + SPREAD)) return;
  console.error(`The requests that the suite sends to a kit: was ${WAS}, is ${requests}. The number is in scripts/suite-requests.ts.`);
  process.exitCode ||= 1;
});
