import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '../../src/contract/generated/control.ts';
import { startBadReceivers } from './bad-receivers.ts';
import { type KitProcess, sendRequest, startKit } from './kits.ts';
import { measureMemory, sendToControl } from './reads.ts';
import { findPercentile, type Report } from './report.ts';

type CreatedWorld = components['schemas']['CreatedWorld'];

const createWorld = ({ url }: KitProcess, name?: string) =>
  sendToControl<CreatedWorld>(url, 'POST', '/worlds', name === undefined ? {} : { name });

const CALM_WORLDS = 49;
const PHASE_MS = 30_000;
/** Each calm world sends a request about this often, in milliseconds. */
const CALM_INTERVAL_MS = 300;
const HOSTILE_INTERVAL_MS = 25;
/** Nothing in the calm worlds contains this text. */
const HOSTILE_TEXT = 'HOSTILE';
/** With a hostile neighbour, the p99 latency may be at most this multiple of the p99 latency without it. */
const MAX_LATENCY_RATIO = 1.5;

/** Sends the same requests to 49 worlds, at first alone, then beside a world in which everything goes wrong. The answers must be the same. */
export async function testHostileWorld(log: (text: string) => void): Promise<Report> {
  await using kit = await startKit(['--retries', 'fast'], log);
  const calm = await Promise.all(Array.from({ length: CALM_WORLDS }, (_, n) => createWorld(kit, `calm-${n}`)));
  const answers = new Map<string, Set<string>>();
  const leaks: string[] = [];
  let latencies: number[] = [];

  async function send({ url, tokens }: CreatedWorld, step: string, method: string, path: string, body?: object): Promise<string> {
    await pause(Math.random() * 2 * CALM_INTERVAL_MS);
    const { status, text, sentAt, answeredAt } = await sendRequest(url, method, path, body, tokens.full);
    latencies.push(answeredAt - sentAt);
    const answer = `${status} ${normalize(text)}`;
    answers.set(step, (answers.get(step) ?? new Set()).add(answer));
    if (text.includes(HOSTILE_TEXT)) leaks.push(`${step}: ${text}`);
    return text;
  }

  async function runSequence(world: CreatedWorld): Promise<void> {
    const { accounts, experiences, users } = world.ids as Record<string, Record<string, string>>;
    const [accountId, experienceId, userId] = [accounts!.northwind, experiences!.concierge, users!.ada];
    await send(world, 'users', 'GET', `/users?accountId=${accountId}`);
    const target = `experienceId=${experienceId}&targetType=USER&targetValue=${userId}`;
    const created = await send(world, 'assign', 'POST', '/experience/assignments', {
      experienceId,
      targetType: 'USER',
      targetValue: userId,
    });
    await send(world, 'assignments', 'GET', `/experience/assignments?accountId=${accountId}&${target}`);
    await send(world, 'assignability', 'GET', `/experience/experiences/${experienceId}/assignability?${target}`);
    const { id } = JSON.parse(created) as { id?: string };
    await send(world, 'unassign', 'DELETE', `/experience/assignments/${id}`);
    await send(world, 'refusal', 'GET', `/experience/assignments/${id}`);
    await send(world, 'clock', 'GET', '/_control/clock');
    await send(world, 'faults', 'GET', '/_control/faults');
  }

  async function runPhase(neighbour: () => Promise<void>): Promise<{ p99: number; requests: number }> {
    const end = performance.now() + PHASE_MS;
    latencies = [];
    const isOver = () => performance.now() > end;
    const repeat = async (work: () => Promise<void>) => {
      while (!isOver()) await work();
    };
    await Promise.all([...calm.map((world) => repeat(() => runSequence(world))), repeat(neighbour)]);
    const sorted = latencies.sort((a, b) => a - b);
    return { p99: findPercentile(sorted, 0.99), requests: sorted.length };
  }

  await runPhase(() => pause(CALM_INTERVAL_MS));
  answers.clear();
  log('alone');
  const alone = await runPhase(() => pause(CALM_INTERVAL_MS));
  const expected = new Map([...answers].map(([step, seen]) => [step, new Set(seen)]));
  const receivers = await startBadReceivers();
  const hostile = await createWorld(kit, 'hostile');
  let hostileRequests = 0;
  log('beside the hostile world');
  const beside = await runPhase(async () => {
    const { method, path, body } = pick(createHostileRequests(receivers.urls));
    // A hostile client does not wait for the answer.
    void sendRequest(hostile.url, method, path, body, hostile.tokens.full).catch(() => {});
    hostileRequests += 1;
    await pause(HOSTILE_INTERVAL_MS);
  });
  const { attempts } = await receivers.stop();
  const journals = await Promise.all(calm.map(({ url }) => sendRequest(url, 'GET', '/_control/requests')));
  const ratio = beside.p99 / alone.p99;
  return {
    counts: {
      'requests to calm worlds, alone': alone.requests,
      'requests to calm worlds, beside the hostile one': beside.requests,
      'requests to the hostile world': hostileRequests,
      'delivery attempts of the hostile world': attempts,
      'p99 in ms alone / beside the hostile world': `${alone.p99.toFixed(1)} / ${beside.p99.toFixed(1)}`,
    },
    problems: {
      'different answers': [...answers].flatMap(([step, seen]) =>
        [...seen].filter((answer) => !expected.get(step)?.has(answer)).map((answer) => `${step}: ${answer}`),
      ),
      'texts of the hostile world': [...leaks, ...journals.flatMap(({ text }) => (text.includes(HOSTILE_TEXT) ? [text] : []))],
      'slow answers': ratio <= MAX_LATENCY_RATIO ? [] : [`the p99 ratio is ${ratio.toFixed(2)}, more than ${MAX_LATENCY_RATIO}`],
    },
  };
}

/** Removes ids that the world has generated, times and trace ids. */
function normalize(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"traceId":"\w+"/g, '"traceId"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => (id.startsWith('019b76da') ? id : 'ID'));
}

interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object | string;
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;

function createHostileRequests(receivers: Readonly<Record<string, string>>): HostileRequest[] {
  const post = (path: string, body: object | string = {}): HostileRequest => ({ method: 'POST', path: `/_control${path}`, body });
  const operation = pick(['getUsers', 'getExperienceAssignments', '*']);
  return [
    post('/reset', { to: 'seed' }),
    post('/faults', { fault: 'latency', operation, delayMs: 5000 }),
    post('/faults', { fault: 'connection-reset', operation }),
    post('/faults', { fault: 'problem', operation, status: 503 }),
    post('/clock/advance', { by: '30d' }),
    post('/snapshots', { name: HOSTILE_TEXT }),
    post('/reset', { to: HOSTILE_TEXT }),
    post('/state/users', { account: 'northwind', firstName: HOSTILE_TEXT, lastName: HOSTILE_TEXT }),
    post('/state/subscriptions', {
      provider: 'acme',
      types: ['provisioning.user.created'],
      destinationUrl: pick(Object.values(receivers)),
    }),
    post('/events/provisioning.user.created', {}),
    post('/state/users', '{"account":'),
    { method: 'DELETE', path: '/_control/state/accounts/northwind' },
    { method: 'GET', path: `/users/${HOSTILE_TEXT}` },
    { method: 'GET', path: '/experience/assignments?pageSize=-1' },
    { method: 'POST', path: '/experience/assignments', body: 'x'.repeat(2_000_000) },
    { method: 'POST', path: '/auth/oauth/token', body: HOSTILE_TEXT },
    { method: 'DELETE', path: '/_control/requests' },
  ];
}

const ENDED_WORLDS = 10_000;
const CONCURRENT_WORLDS = 8;
/** After so many worlds, the caches of the kit are full. */
const WARM_UP_WORLDS = 2000;
const MAX_GROWTH = 1.1;

/** Creates, uses and ends 10,000 worlds. The kit's memory and open files must stay as they were after the first ones. */
export async function testEndedWorlds(log: (text: string) => void): Promise<Report> {
  await using kit = await startKit([], log);
  let [created, failures] = [0, 0];
  const useWorlds = async (until: number) => {
    while (created < until) {
      created += 1;
      if (created % 1000 === 0) log(`${created} worlds`);
      const { url, name, tokens, ids } = await createWorld(kit);
      const user = { account: 'northwind', firstName: 'Ada', lastName: 'Lovelace' };
      const answers = [
        await sendRequest(url, 'GET', `/users/${ids.users!.ada}`, undefined, tokens.full),
        await sendRequest(url, 'POST', '/_control/state/users', user),
        await sendRequest(kit.url, 'DELETE', `/_control/worlds/${name}`),
      ];
      if (answers.some(({ ok }) => !ok)) failures += 1;
    }
  };
  const run = (until: number) => Promise.all(Array.from({ length: CONCURRENT_WORLDS }, () => useWorlds(until)));
  const measure = async () => {
    // Let the kit end its connections and collect garbage.
    await pause(10_000);
    const { text } = await sendRequest(kit.url, 'GET', '/_control/metrics');
    return { ...(await measureMemory(kit)), files: Number(/^process_open_fds (\d+)/m.exec(text)?.[1]) };
  };
  await run(WARM_UP_WORLDS);
  const before = await measure();
  await run(ENDED_WORLDS);
  const after = await measure();
  const growth = after.rss / before.rss;
  return {
    counts: {
      'ended worlds': created,
      [`MB of RSS after ${WARM_UP_WORLDS} / ${ENDED_WORLDS} worlds`]: `${before.rss.toFixed(0)} / ${after.rss.toFixed(0)}`,
      [`MB of heap after ${WARM_UP_WORLDS} / ${ENDED_WORLDS} worlds`]: `${before.heap.toFixed(0)} / ${after.heap.toFixed(0)}`,
      'open files before / after': `${before.files} / ${after.files}`,
    },
    problems: {
      'refused requests': failures === 0 ? [] : [`${failures} worlds`],
      'worlds that did not end': (await sendToControl<CreatedWorld[]>(kit.url, 'GET', '/worlds')).map(({ name }) => name),
      'memory grows': growth <= MAX_GROWTH ? [] : [`to ${growth.toFixed(2)} times the memory after ${WARM_UP_WORLDS} worlds`],
      'open files': after.files <= before.files + CONCURRENT_WORLDS ? [] : [`${after.files} instead of ${before.files}`],
    },
  };
}
