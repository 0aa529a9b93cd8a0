import type { Exchange } from '../../src/contract/generated/results.ts';

/** A request and its response, with the body parsed if it is JSON. Names of headers are in lower case. */
export interface Answer extends Omit<Exchange, 'requestBody'> {
  readonly requestBody: string | undefined;
  readonly json: unknown;
}
