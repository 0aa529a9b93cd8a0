import { createDatabase } from '../../../src/store/testing/postgres.ts';
import { get, NUMBER_PLACEHOLDER, post, type Request } from '../http.ts';
import { type KitServer, startExpress, startKit, startReceiver } from '../processes.ts';
import { createRow, type Row, type Scenario } from '../report.ts';
import { compareContenders } from '../rounds.ts';
import { ACCOUNT_ID, CHECK_PATH, EXPERIENCE_ID } from '../world.ts';

const CLIENT_COUNT = 500;
const NUMBERS_PER_SECOND = 15_000;
const BYTES_PER_MB = 1 << 20;

function createTwentyRequests(token: string): Request[] {
  const reads = [
    CHECK_PATH,
    CHECK_PATH,
    `/users?accountId=${ACCOUNT_ID}&pageSize=20`,
    `/experience/assignments?accountId=${ACCOUNT_ID}&pageSize=20`,
  ];
  const body = { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: `+1${NUMBER_PLACEHOLDER}` };
  const creation = { ...post('/experience/assignments', body, token), expect: 201 };
  const missing = { ...get('/experience/assignments/no-such-assignment', token), expect: 404 };
  const four = reads.map((path) => get(path, token));
  return [...four, creation, ...four, creation, ...four, creation, ...four, missing];
}

/** Measures a load of 80 % reads, 15 % writes and 5 % refusals, and then the kit's memory. */
export const measureMixed: Scenario = async (options, log) => {
  await using receiver = await startReceiver();
  const numbers = Math.ceil((options.rounds * options.seconds + 2) * NUMBERS_PER_SECOND);
  await using kit = await startKit({ clients: CLIENT_COUNT, numbers, users: 1000, destinationUrl: receiver.url });
  await using express = await startExpress();
  const requests = kit.tokens.flatMap(createTwentyRequests);
  const contenders = [
    { name: 'kit', server: kit, requests },
    { name: 'bare Express', server: express, requests },
  ];
  const before = await kit.ask('memory');
  const faster = await compareContenders(contenders, options, log);
  const added = ((await kit.ask('memory')) - before) / BYTES_PER_MB;
  return [
    { what: 'mixed load with deliveries', against: 'bare Express', unit: 'x', figures: faster('kit', 'bare Express') },
    createRow('memory added by the mixed load', 'memory', 'MB', [added]),
  ];
};

/** CPU time excludes the PostgreSQL server. */
export const measurePostgres: Scenario = async (options, log) => {
  const database = await createDatabase();
  await using express = await startExpress();
  await using cleanup = new AsyncDisposableStack();
  const rows: Row[] = [];
  const replicas: KitServer[] = [];
  for (const count of ['one replica', 'two replicas', 'three replicas']) {
    replicas.push(cleanup.use(await startKit({ clients: 2000, database })));
    const [first, ...otherReplicas] = replicas as [KitServer, ...KitServer[]];
    const requests = first.tokens.map((token) => get(CHECK_PATH, token));
    const what = `assignability on PostgreSQL, ${count}`;
    const isFirst = otherReplicas.length === 0;
    const contenders = [
      { name: count, server: first, otherReplicas, requests, ...(isFirst && { profiled: what }) },
      ...(isFirst ? [] : [{ name: 'one replica', server: first, requests }]),
      { name: 'bare Express', server: express, requests },
    ];
    const faster = await compareContenders(contenders, options, log);
    const target = isFirst ? { target: { atLeast: 0.1 } } : {};
    rows.push({ what, against: 'bare Express', unit: 'x', figures: faster(count, 'bare Express'), ...target }, ...faster.profiles);
    if (otherReplicas.length !== 1) continue;
    const { 'requests/s': speed } = faster(count, 'one replica');
    rows.push({ what, against: 'one replica', unit: 'x', figures: { 'requests/s': speed }, target: { atLeast: 1.5 } });
  }
  return [...rows, await measureSharedLimit(options, log)];
};

async function measureSharedLimit(...[options, log]: Parameters<Scenario>): Promise<Row> {
  const startLimitedKit = async (usersLimit: number) => startKit({ clients: CLIENT_COUNT, usersLimit, database: await createDatabase() });
  await using limited = await startLimitedKit(1_000_000);
  await using unlimited = await startLimitedKit(0);
  const contenders = Object.entries({ limited, unlimited }).map(([name, server]) => {
    const requests = server.tokens.map((token) => get(`/users?accountId=${ACCOUNT_ID}&pageSize=1`, token));
    return { name, server, requests };
  });
  const figures = (await compareContenders(contenders, options, log))('limited', 'unlimited');
  return { what: 'a limit that replicas share', against: 'the same request without a limit', unit: 'x', figures };
}
