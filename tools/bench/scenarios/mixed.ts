import { createDatabase } from '../../../src/store/testing/postgres.ts';
import { get, post, type Request } from '../http.ts';
import { endProcess, type KitServer, requestMessage, resolveRepositoryFile, startExpress, startKit, startNode } from '../processes.ts';
import type { Row, Scenario } from '../report.ts';
import { type Contender, compareContenders } from '../rounds.ts';
import { ACCOUNT_ID, EXPERIENCE_ID, FIRST_FREE_NUMBER, NUMBER } from '../world.ts';

const CLIENT_COUNT = 500;
const NUMBERS_PER_SECOND = 3000;
const NUMBER_PLACEHOLDER = 'NATIONAL##';
const BYTES_PER_MB = 1 << 20;

function createTwentyRequests(token: string): Request[] {
  const check = `/experience/experiences/${EXPERIENCE_ID}/assignability?targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(NUMBER)}`;
  const reads = [check, check, `/users?accountId=${ACCOUNT_ID}&pageSize=20`, `/experience/assignments?accountId=${ACCOUNT_ID}&pageSize=20`];
  const body = { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: `+1${NUMBER_PLACEHOLDER}` };
  const creation = { ...post('/experience/assignments', body, token), expect: 201 };
  const missing = { ...get('/experience/assignments/no-such-assignment', token), expect: 404 };
  const four = reads.map((path) => get(path, token));
  return [...four, creation, ...four, creation, ...four, creation, ...four, missing];
}

/** Measures a load of 80 % reads, 15 % writes and 5 % refusals, and then the kit's memory. */
export const measureMixed: Scenario = async (options, log) => {
  const receiver = startNode('load', [resolveRepositoryFile('tools/bench/servers/receiver.mjs')]);
  const { port } = await requestMessage<{ port: number }>(receiver);
  const numbers = Math.ceil((options.rounds * options.seconds + 2) * NUMBERS_PER_SECOND);
  const kit = await startKit({ clients: CLIENT_COUNT, numbers, users: 1000, destinationUrl: `http://127.0.0.1:${port}/hook` });
  const express = await startExpress();
  const createJob = (tokens: readonly string[]): Contender['job'] => {
    const requests = tokens.flatMap(createTwentyRequests);
    return (sent) => ({ expect: 200, requests, serial: { placeholder: NUMBER_PLACEHOLDER, from: FIRST_FREE_NUMBER + sent } });
  };
  try {
    const contenders = [
      { name: 'kit', server: kit, job: createJob(kit.tokens) },
      { name: 'bare Express', server: express, job: createJob(kit.tokens) },
    ];
    const before = await kit.ask('memory');
    const faster = await compareContenders(contenders, options, log);
    const added = ((await kit.ask('memory')) - before) / BYTES_PER_MB;
    return [
      { what: 'mixed load with deliveries', against: 'bare Express', unit: 'x', figures: faster('kit', 'bare Express') },
      { what: 'memory added by the mixed load', unit: 'MB', figures: { memory: { median: added, min: added, max: added } } },
    ];
  } finally {
    await endProcess(receiver);
    await Promise.all([kit.stop(), express.stop()]);
  }
};

/** CPU time excludes the PostgreSQL server. */
export const measurePostgres: Scenario = async (options, log) => {
  const database = await createDatabase();
  const path = `/experience/experiences/${EXPERIENCE_ID}/assignability?targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(NUMBER)}`;
  const express = await startExpress();
  const rows: Row[] = [];
  const replicas: KitServer[] = [];
  try {
    for (const count of ['one replica', 'two replicas', 'three replicas']) {
      replicas.push(await startKit({ clients: 2000, database }));
      const [first, ...otherReplicas] = replicas as [KitServer, ...KitServer[]];
      const requests = first.tokens.map((token) => get(path, token));
      const job = () => ({ expect: 200, requests });
      const contenders = [
        { name: 'kit', server: first, otherReplicas, job },
        { name: 'bare Express', server: express, job },
      ];
      const faster = await compareContenders(contenders, options, log);
      const what = `assignability on PostgreSQL, ${count}`;
      rows.push({ what, against: 'bare Express', unit: 'x', figures: faster('kit', 'bare Express') });
    }
  } finally {
    await Promise.all([...replicas, express].map((server) => server.stop()));
  }
  return [...rows, await measureSharedLimit(options, log)];
};

async function measureSharedLimit(...[options, log]: Parameters<Scenario>): Promise<Row> {
  const startLimitedKit = async (usersLimit: number) => startKit({ clients: CLIENT_COUNT, usersLimit, database: await createDatabase() });
  const [limited, unlimited] = [await startLimitedKit(1_000_000), await startLimitedKit(0)];
  try {
    const contenders = Object.entries({ limited, unlimited }).map(([name, server]) => {
      const requests = server.tokens.map((token) => get(`/users?accountId=${ACCOUNT_ID}&pageSize=1`, token));
      return { name, server, job: () => ({ expect: 200, requests }) };
    });
    const faster = await compareContenders(contenders, options, log);
    const what = 'a limit that replicas share';
    return { what, against: 'the same request without a limit', unit: 'x', figures: faster('limited', 'unlimited') };
  } finally {
    await Promise.all([limited.stop(), unlimited.stop()]);
  }
}
