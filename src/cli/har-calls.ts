import { type HarCalls, toCalls } from '../har/har-calls.ts';
import { readHarFile } from '../har/har-file.ts';
import { UsageError } from './usage-error.ts';

/** @param baseUrl the service's base URL. Default: the one that got most requests to operations @throws UsageError, HarError */
export async function readHarCalls(file: string, baseUrl?: string): Promise<HarCalls> {
  const url = baseUrl === undefined ? undefined : URL.parse(baseUrl);
  if (url === null || (url && !/^https?:$/.test(url.protocol)))
    throw new UsageError(`--base-url must be an http or https URL, such as https://api.example.com, not ${baseUrl}.`);
  return toCalls(await readHarFile(file), file, url && (url.origin + url.pathname).replace(/\/+$/, ''));
}
