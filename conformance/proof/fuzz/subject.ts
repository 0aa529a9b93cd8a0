import { sql } from 'kysely';
import { createKit } from '../../../src/kit.ts';
import type { Engine } from '../../../src/store/engine.ts';
import { freshDatabase } from '../../../src/store/testing/postgres.ts';
import { type Faults, violations } from './check.ts';
import type { WireRequest } from './client.ts';
import { createClient, type FuzzResponse } from './client.ts';
import { createKnown } from './known.ts';
import { operations } from './operations.ts';
import { type FuzzRequest, onTheWire } from './requests.ts';
import { INJECTED } from './values.ts';

/** A kit under test, in this process. */
export interface Subject {
  /** The operations that had a response below 400. */
  readonly succeeded: ReadonlySet<string>;
  send(request: FuzzRequest): Promise<Exchange>;
  /** Checks the content of the kit while no request is running, then resets it. @returns what is wrong */
  checkContent(): Promise<string[]>;
  close(): Promise<void>;
}

export interface Exchange {
  readonly request: WireRequest;
  readonly response: FuzzResponse;
  readonly violations: readonly string[];
}

export interface SubjectOptions {
  readonly engine: Engine;
  readonly connections: number;
  /** Changes responses before they are checked: for tests of the checks. */
  readonly tamper?: (response: FuzzResponse) => FuzzResponse;
}

export async function startSubject({ engine, connections, tamper = (response) => response }: SubjectOptions): Promise<Subject> {
  const database = engine === 'postgres' ? await freshDatabase() : undefined;
  const kit = await createKit({ port: 0, login: 'auto', ...(database && { database }) });
  // Deliveries stay on loopback: the kit itself refuses them with 4xx, and nothing listens at the last address.
  const known = createKnown(kit.url, [`${kit.url}/users`, `${kit.url}/_control/health`, 'http://127.0.0.1:1/closed']);
  const client = createClient(kit.url, connections);
  const succeeded = new Set<string>();
  let faults: Faults = 'none';
  await known.refresh();

  async function exchange(request: WireRequest): Promise<Exchange> {
    const response = tamper(await client.send(request));
    const { status, text } = response;
    const operationId = request.operation?.operationId ?? '';
    if (status >= 200 && status < 400) succeeded.add(operationId);
    if (operationId === 'addFault' && status === 201) {
      const isAny = text.includes('"fault":"response"') && !text.includes(INJECTED);
      faults = isAny || faults === 'any' ? 'any' : 'some';
    }
    const found = violations(request, response, faults);
    if (found.length === 0) known.learn(request, response);
    return { request, response, violations: found };
  }

  function control(operationId: string, body?: string): Promise<Exchange> {
    const operation = operations.find((one) => one.operationId === operationId)!;
    const { method, path } = operation;
    const headers = [['Content-Type', 'application/json']] as const;
    return exchange({ operation, method, target: path, headers, body: body === undefined ? undefined : Buffer.from(body) });
  }

  async function checkContent(): Promise<string[]> {
    await control('clearFaults');
    const before = await control('dumpState');
    const loaded = await control('loadState', before.response.text);
    const after = await control('dumpState');
    const reset = await control('reset', '{"to":"seed"}');
    const found = [before, loaded, after, reset].flatMap((one) => one.violations);
    if (loaded.response.status !== 200) found.push(`a dump that cannot be loaded: ${loaded.response.text}`);
    if (before.response.text !== after.response.text) found.push(`a dump that changes when it is loaded: ${difference(before, after)}`);
    if (engine === 'sqlite') {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(kit.store.db);
      found.push(...rows.map((row) => row.integrity_check).filter((result) => result !== 'ok'));
    }
    faults = 'none';
    await known.refresh();
    return found.map((one) => `content: ${one}`);
  }

  return {
    succeeded,
    checkContent,
    async send(request) {
      const sent = await exchange(onTheWire(request, known));
      const replacesWorld = /^(reset|loadState)$/.test(sent.request.operation?.operationId ?? '') && sent.response.status === 200;
      if (replacesWorld) await known.refresh();
      return sent;
    },
    async close() {
      client.close();
      await kit.close();
    },
  };
}

function difference(one: Exchange, two: Exchange): string {
  const [a, b] = [one.response.text, two.response.text];
  const at = [...a].findIndex((character, index) => character !== b[index]);
  return `${a.slice(Math.max(0, at - 80), at + 80)} … ${b.slice(Math.max(0, at - 80), at + 80)}`;
}
