import { sql } from 'kysely';
import { createKit } from '../../../src/kit.ts';
import type { Engine } from '../../../src/store/engine.ts';
import { createDatabase } from '../../../src/store/testing/postgres.ts';
import { createClient, type FuzzResponse, type WireRequest } from './client.ts';
import { Known } from './known.ts';
import { type Door, operations } from './operations.ts';
import { generateRequest } from './requests.ts';
import { violations } from './violations.ts';

export interface Exchange {
  readonly request: WireRequest;
  readonly response: FuzzResponse;
  readonly violations: readonly string[];
}

export type Subject = Awaited<ReturnType<typeof startSubject>>;

/** Starts a kit in this process, to which generated requests are sent. */
export async function startSubject(engine: Engine) {
  const kit = await createKit({ port: 0, login: 'auto', ...(engine === 'postgres' && { database: await createDatabase() }) });
  const known = new Known(kit.url);
  const sendRequest = createClient(kit.url);
  const succeeded = new Set<string>();
  let hasFaults = false;
  await known.refresh();

  async function exchange(request: WireRequest): Promise<Exchange> {
    const response = await sendRequest(request);
    const { operation } = request;
    const operationId = operation?.operationId ?? '';
    if (response.status >= 200 && response.status < 400) succeeded.add(operationId);
    if (operationId === 'addFault' && response.status === 201) hasFaults = true;
    // While a fault is injected, accept any response of the API, but not a missing response.
    const mayFail = hasFaults && (operation === undefined || operation.door === 'api') && !response.text.startsWith('no response within');
    const found = mayFail ? [] : violations(request, response);
    if (found.length === 0) known.learn(operation, response);
    const replacesWorld = (operationId === 'reset' || operationId === 'loadState') && response.status === 200;
    if (replacesWorld) await known.refresh();
    return { request, response, violations: found };
  }

  function control(operationId: string, body?: string): Promise<Exchange> {
    const operation = operations.find((one) => one.operationId === operationId)!;
    const headers = [['Content-Type', 'application/json']] as const;
    return exchange({ operation, method: operation.method, target: operation.path, headers, body: body ? Buffer.from(body) : undefined });
  }

  return {
    /** The ids of the operations that succeeded at least once. */
    succeeded: succeeded as ReadonlySet<string>,
    /** Generates a request from `seed` and sends the request. */
    send: (seed: number, doors: readonly Door[]) => exchange(generateRequest(seed, doors, known)),
    /**
     * Checks the data of the kit, and then resets the kit. Do not call this function while a request is running.
     * @returns descriptions of damaged data and wrong responses
     */
    async checkContent(): Promise<string[]> {
      await control('clearFaults');
      hasFaults = false;
      const before = await control('dumpState');
      const loaded = await control('loadState', before.response.text);
      const after = await control('dumpState');
      const reset = await control('reset', '{"to":"seed"}');
      const found = [before, loaded, after, reset].flatMap((one) => one.violations);
      if (loaded.response.status !== 200) found.push(`the dump of the world cannot be loaded: ${loaded.response.text}`);
      if (before.response.text !== after.response.text) found.push(`a loaded dump gives another dump: ${difference(before, after)}`);
      if (engine === 'sqlite') {
        const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(kit.store.db);
        found.push(...rows.map((row) => row.integrity_check).filter((result) => result !== 'ok'));
      }
      return found.map((one) => `content: ${one}`);
    },
    close: () => kit.close(),
  };
}

function difference(one: Exchange, two: Exchange): string {
  const [a, b] = [one.response.text, two.response.text];
  const at = [...a].findIndex((character, index) => character !== b[index]);
  return `${a.slice(Math.max(0, at - 80), at + 80)} … ${b.slice(Math.max(0, at - 80), at + 80)}`;
}

const ROUND = 500;
const IN_FLIGHT = 32;
const MAX_FAILURES = 40;

/**
 * Sends a request for each seed from `first` on. After each round of requests, checks the data of the kit.
 * @returns a description of each kind of failure, with the options that repeat the round
 */
export async function runCampaign(subject: Subject, first: number, requests: number, doors: readonly Door[]): Promise<string[]> {
  const failures = new Map<string, string>();
  for (let start = first; start < first + requests && failures.size < MAX_FAILURES; start += ROUND) {
    const end = Math.min(start + ROUND, first + requests);
    const add = (found: readonly string[], { operation, body, ...rest }: Partial<WireRequest> = {}) => {
      const text = found.join('; ');
      const kind = `${operation?.operationId} ${text.replaceAll(/[0-9a-f]{4,}/g, '…')}`.slice(0, 300);
      if (text === '' || failures.has(kind)) return;
      const request = JSON.stringify({ operationId: operation?.operationId, ...rest, body: body?.toString('latin1').slice(0, 2_000) });
      failures.set(kind, `${text} (--seed ${start} --requests ${end - start})\n  ${request}`);
    };
    let seed = start;
    const work = async () => {
      while (seed < end) {
        const sent = await subject.send(seed++, doors);
        add(sent.violations, sent.request);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    add(await subject.checkContent());
  }
  return [...failures.values()];
}
