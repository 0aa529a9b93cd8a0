import type { Observation } from '../../src/http/observation.ts';
import { createKit } from '../../src/kit.ts';
import type { Engine } from '../../src/store/engine.ts';
import { freshDatabase } from '../../src/store/testing/postgres.ts';
import { faultsOf } from './judge.ts';
import { type Known, learn, operationOf, readKnown } from './known.ts';
import type { FuzzRequest } from './request.ts';
import { createClient, type FuzzResponse } from './send.ts';

/** A fresh kit that is fuzzed, and what is known of it. */
export interface Subject {
  readonly engine: Engine;
  readonly url: string;
  readonly known: Known;
  readonly issued: number;
  /** How many answers had which status; 0 stands for none that could be read. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What the pipeline said of the requests that reached an operation. */
  readonly observed: readonly Pick<Observation, 'operationId' | 'step'>[];
  /** Sends, judges and learns. */
  ask(request: FuzzRequest): Promise<Asked>;
  close(): Promise<void>;
}

export interface Asked {
  readonly response: FuzzResponse;
  readonly faults: readonly string[];
}

/** The demo world on an engine, in this process. */
export async function startSubject(engine: Engine, connections: number): Promise<Subject> {
  const observed: Pick<Observation, 'operationId' | 'step'>[] = [];
  const database = engine === 'postgres' ? await freshDatabase() : undefined;
  const observe = ({ operationId, step }: Observation) => void observed.push({ operationId, step });
  const kit = await createKit({ port: 0, database }, { observe });
  const known = await readKnown(kit.url);
  const client = createClient(kit.url, connections);
  const statuses = new Map<number, number>();
  return {
    engine,
    url: kit.url,
    known,
    get issued() {
      return client.issued;
    },
    statuses,
    observed,
    async ask(request) {
      const response = await client.send(request);
      const operationId = operationOf(request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const faults = faultsOf(request, response, operationId);
      if (faults.length === 0) learn(known, operationId, request, response);
      return { response, faults };
    },
    async close() {
      client.close();
      await kit.close();
    },
  };
}
