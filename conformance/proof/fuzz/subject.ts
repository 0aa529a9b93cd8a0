import { sql } from 'kysely';
import { createKit } from '../../../src/kit.ts';
import type { Engine } from '../../../src/store/engine.ts';
import { createDatabase } from '../../../src/store/testing/postgres.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { createClient, type FuzzResponse, type WireRequest } from './client.ts';
import { KnownValues } from './known-values.ts';
import { type InterfaceName, operations } from './operations.ts';
import { generateRequest } from './requests.ts';
import { findViolations } from './violations.ts';

export interface Exchange {
  readonly request: WireRequest;
  readonly response: FuzzResponse;
  readonly violations: readonly string[];
}

type Subject = Awaited<ReturnType<typeof startSubject>>;

/** Starts a kit in this process, as the target of generated requests. */
export async function startSubject(engine: Engine) {
  const kit = await createKit({ port: 0, login: 'auto', ...(engine === 'postgres' && { database: await createDatabase() }) });
  const known = new KnownValues(kit.url);
  const sendBytes = createClient(kit.url);
  const succeeded = new Set<string>();
  let hasFaults = false;
  await known.refresh();

  async function sendRequest(request: WireRequest): Promise<Exchange> {
    const response = await sendBytes(request);
    const { operation } = request;
    const operationId = operation?.operationId ?? '';
    if (response.status >= 200 && response.status < 400) succeeded.add(operationId);
    if (operationId === 'addFault' && response.status === 201) hasFaults = true;
    // After an injected fault, the API may send any response, but it must respond.
    const mayFail =
      hasFaults && (operation === undefined || operation.interfaceName === 'api') && !response.text.startsWith('no response within');
    const found = mayFail ? [] : findViolations(request, response);
    if (found.length === 0) known.collectValues(operation, response);
    const replacesWorld = (operationId === 'reset' || operationId === 'loadState') && response.status === 200;
    if (replacesWorld) await known.refresh();
    return { request, response, violations: found };
  }

  function callControl(operationId: string, body?: string): Promise<Exchange> {
    const operation = operations.find((one) => one.operationId === operationId)!;
    const { method, path: target } = operation;
    const headers = [['Content-Type', 'application/json']] as const;
    return sendRequest({ operation, method, target, headers, body: body ? Buffer.from(body) : undefined });
  }

  return {
    succeeded: succeeded as ReadonlySet<string>,
    send: (seed: number, interfaces: readonly InterfaceName[]) => sendRequest(generateRequest(seed, interfaces, known)),
    /**
     * Checks the kit's data, then resets the kit. Call this function only while no request is running.
     * @returns descriptions of damaged data and wrong responses
     */
    async checkContent(): Promise<string[]> {
      await callControl('clearFaults');
      hasFaults = false;
      const before = await callControl('dumpState');
      const loaded = await callControl('loadState', before.response.text);
      const after = await callControl('dumpState');
      const reset = await callControl('reset', '{"to":"seed"}');
      const found = [before, loaded, after, reset].flatMap((one) => one.violations);
      if (loaded.response.status !== 200) found.push(`the dump of the world cannot be loaded: ${loaded.response.text}`);
      if (before.response.text !== after.response.text) found.push('loading the dump and dumping the world again gives a different dump');
      if (engine === 'sqlite') {
        const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(kit.store.db);
        found.push(...rows.map((row) => row.integrity_check).filter((result) => result !== 'ok'));
      }
      return found.map((one) => `content: ${one}`);
    },
    close: () => kit.close(),
  };
}

const REQUESTS_PER_ROUND = 500;
const CONCURRENCY = 32;
const MAX_FAILURES = 40;

/**
 * Sends generated requests, and checks the kit's data after every 500 requests.
 * @param first the seed of the first request
 * @returns a description of each kind of failure, with the command-line options that reproduce it
 */
export async function runCampaign(
  subject: Subject,
  first: number,
  requests: number,
  interfaces: readonly InterfaceName[],
): Promise<string[]> {
  const failures = new Map<string, string>();
  for (let start = first; start < first + requests && failures.size < MAX_FAILURES; start += REQUESTS_PER_ROUND) {
    const end = Math.min(start + REQUESTS_PER_ROUND, first + requests);
    const addFailure = (found: readonly string[], { operation, body, ...rest }: Partial<WireRequest> = {}) => {
      const text = found.join('; ');
      const kind = `${operation?.operationId} ${text.replaceAll(/[0-9a-f]{4,}/g, '…')}`.slice(0, 300);
      if (text === '' || failures.has(kind)) return;
      const request = JSON.stringify({ operationId: operation?.operationId, ...rest, body: body?.toString('latin1').slice(0, 2_000) });
      failures.set(kind, `${text} (--seed ${start} --requests ${end - start})\n  ${request}`);
    };
    const seeds = Array.from({ length: end - start }, (_, index) => start + index);
    const exchanges = await mapConcurrently(CONCURRENCY, seeds, async (seed) => [await subject.send(seed, interfaces)]);
    for (const { violations, request } of exchanges) addFailure(violations, request);
    addFailure(await subject.checkContent());
  }
  return [...failures.values()];
}
