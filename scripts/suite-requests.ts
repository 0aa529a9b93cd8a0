// Counts the requests that a kit gets in this process, and fails the run of the suite if there are more than before. Start it with
// `node --import ./scripts/suite-requests.ts bin/xpk.cjs conformance`.
import { subscribe } from 'node:diagnostics_channel';

/** The number of requests that the suite sent when this number was last set. Set it again after a change that is worth its requests. */
const WAS = 10_300;
/** How much the number differs between runs, because the suite repeats some requests until the kit has nothing to deliver. */
const SPREAD = 0.04;

let requests = 0;
subscribe('http.server.request.start', () => {
  requests += 1;
});

process.on('exit', () => {
  if (requests <= WAS * (1 + SPREAD)) return;
  console.error(`The requests that the suite sends to a kit: was ${WAS}, is ${requests}. The number is in scripts/suite-requests.ts.`);
  process.exitCode ||= 1;
});
