import type { Exchange } from '../contract/generated/results.ts';

/** `json` is undefined if the body is not JSON. Header names are in lower case. */
export interface Answer extends Omit<Exchange, 'requestBody'> {
  readonly requestBody: string | undefined;
  readonly json: unknown;
}
