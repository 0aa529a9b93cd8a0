import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { createKit } from '../../../src/kit.ts';
import type { Engine } from '../../../src/store/engine.ts';
import { freshDatabase } from '../../../src/store/testing/postgres.ts';
import { violations } from './judge.ts';
import { INJECTED } from './named.ts';
import { operations } from './operations.ts';
import { type FuzzRequest, onTheWire, type WireRequest } from './requests.ts';
import { createClient, type FuzzResponse } from './send.ts';
import { createKnown } from './world.ts';

/** A kit under test, in this process. */
export interface Subject {
  readonly url: string;
  /** How many responses of which class an operation has had. */
  readonly counts: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** Sends a request and checks the response. */
  ask(request: FuzzRequest): Promise<Asked>;
  /** Checks the content of the kit while no request is under way, then goes back to its first world. @returns what is wrong */
  checkContent(): Promise<string[]>;
  close(): Promise<void>;
}
export interface Asked {
  readonly request: WireRequest;
  readonly response: FuzzResponse;
  readonly violations: readonly string[];
}
export interface SubjectOptions {
  readonly engine: Engine;
  /** Whether people log in at the page of the kit, or are logged in automatically. */
  readonly login: 'page' | 'auto';
  readonly connections: number;
  /** Changes responses before they are checked: for tests of the checks. */
  readonly tamper?: (response: FuzzResponse) => FuzzResponse;
}

export async function startSubject({ engine, login, connections, tamper = (response) => response }: SubjectOptions): Promise<Subject> {
  const database = engine === 'postgres' ? await freshDatabase() : undefined;
  const kit = await createKit({ port: 0, login, ...(database && { database }) });
  const receiver = await startReceiver();
  const known = createKnown(kit.url, receiver.urls);
  const client = createClient(kit.url, connections);
  const counts = new Map<string, Record<string, number>>();
  let faults: Parameters<typeof violations>[2] = 'none';
  await known.refresh();

  async function exchange(request: WireRequest): Promise<Asked> {
    const response = tamper(await client.send(request));
    const { operationId = '(another)' } = request.operation ?? {};
    const own = counts.get(operationId) ?? {};
    const kind = response.status === 0 ? 'none' : `${Math.floor(response.status / 100)}xx`;
    counts.set(operationId, { ...own, [kind]: (own[kind] ?? 0) + 1 });
    if (operationId === 'addFault' && response.status === 201) {
      const isAny = response.text.includes('"fault":"response"') && !response.text.includes(INJECTED);
      faults = isAny || faults === 'any' ? 'any' : 'some';
    }
    const found = violations(request, response, faults);
    if (found.length === 0) known.learn(request, response);
    return { request, response, violations: found };
  }

  async function control(operationId: string, body?: string): Promise<Asked> {
    const operation = operations.find((one) => one.operationId === operationId)!;
    const headers = [['Content-Type', 'application/json']] as const;
    const { method, path } = operation;
    return exchange({ operation, method, target: path, headers, body: body === undefined ? undefined : Buffer.from(body) });
  }

  async function checkContent(): Promise<string[]> {
    await control('clearFaults');
    const before = await control('dumpState');
    const loaded = await control('loadState', before.response.text);
    const after = await control('dumpState');
    const found = [before, loaded, after].flatMap((one) => one.violations);
    if (loaded.response.status !== 200) found.push(`a dump that cannot be loaded: ${loaded.response.text}`);
    if (before.response.text !== after.response.text) found.push(`a dump that changes when it is loaded: ${difference(before, after)}`);
    if (engine === 'sqlite') found.push(...(await integrityProblems()));
    found.push(...(await control('reset', '{"to":"seed"}')).violations);
    faults = 'none';
    await known.refresh();
    return found.map((one) => `content: ${one}`);
  }

  async function integrityProblems(): Promise<string[]> {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(kit.store.db);
    return rows.map((row) => row.integrity_check).filter((result) => result !== 'ok');
  }

  return {
    url: kit.url,
    counts,
    checkContent,
    async ask(request) {
      const asked = await exchange(onTheWire(request, known));
      const replacesWorld = /^(reset|loadState)$/.test(asked.request.operation?.operationId ?? '') && asked.response.status === 200;
      if (replacesWorld) await known.refresh();
      return asked;
    },
    async close() {
      client.close();
      await kit.close();
      receiver.close();
    },
  };
}

function difference(one: Asked, two: Asked): string {
  const [a, b] = [one.response.text, two.response.text];
  const at = [...a].findIndex((character, index) => character !== b[index]);
  return `${a.slice(Math.max(0, at - 80), at + 80)} … ${b.slice(Math.max(0, at - 80), at + 80)}`;
}

/** Where the kit delivers to: endpoints that answer 200, 500 or 410, and one that does not listen. All of them on loopback. */
async function startReceiver() {
  const server = createServer((req, res) => void req.resume().on('end', () => res.writeHead(Number(req.url?.slice(1)) || 200).end()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const urls = [...['200', '500', '410'].map((path) => `http://127.0.0.1:${port}/${path}`), 'http://127.0.0.1:1/closed'];
  return {
    urls,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
