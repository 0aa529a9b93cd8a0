import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventTypes } from '../../src/contract/generated/events.ts';
import { createKit } from '../../src/kit.ts';
import type { World } from '../../src/world/world.ts';
import { ACCOUNT_ALIAS, createChaosWorld, EXPERIENCE_ID, sendRequest as sendTo } from './kits.ts';
import { createModel, type PossibleUsers, type UserChange } from './model.ts';
import type { Report } from './report.ts';

const WRITER_COUNT = 12;
const USER_COUNT = 1200;
const SNAPSHOT_COUNT = 6;
const COMPARISON_INTERVAL_MS = 10_000;

const randomInteger = (count: number) => Math.floor(Math.random() * count);
const pickRandom = <T>(items: readonly T[]): T => items[randomInteger(items.length)]!;
const toUserId = (user: string) => `0190f000-0000-7000-8000-${user.slice(1).padStart(12, '0')}`;
/** Returns a random last name. Some are so long that SQLite stores them in several pages. */
const randomLastName = () => `n${randomInteger(1e9)}`.padEnd(randomInteger(20) === 0 ? 6000 : randomInteger(600), 'x');

/**
 * Tests the default store with writers, and an operator who copies, resets and replaces the world. Regularly compares the world with a
 * model's prediction.
 */
export async function testDefaultStore(minutes: number, log: (text: string) => void): Promise<Report> {
  const counts = { accepted: 0, refused: 0, 'worlds replaced': 0, 'snapshots saved': 0, 'comparisons with the model': 0 };
  const failures: string[] = [];
  const differences: string[] = [];
  const corruption: string[] = [];
  const users = new Map(Array.from({ length: USER_COUNT }, (_, n) => [`u${n}`, randomLastName()]));
  const world = createWorld(users);
  const kit = await createKit({ port: 0, fixtures: world, logLevel: 'silent' });
  const token = Object.values(await kit.tokens())[0];
  const model = createModel(users);
  const seed = model.finishCopy();
  const snapshots = new Map<string, PossibleUsers>();
  let dump = { world: JSON.stringify(world), content: seed };
  const deadline = performance.now() + minutes * 60_000;
  const countProblems = () => failures.length + differences.length + corruption.length;
  const isOver = () => performance.now() > deadline || countProblems() > 0;

  /** @returns whether the kit accepted the request; undefined without a response, or after a 5xx */
  async function send(method: string, path: string, body?: object | string): Promise<boolean | undefined> {
    try {
      const { status, ok, text } = await sendTo(kit.url, method, path, body, path.startsWith('/experience') ? token : undefined);
      if (status < 500) {
        counts[ok ? 'accepted' : 'refused'] += 1;
        return ok;
      }
      failures.push(`${method} ${path}: ${status} ${text}`);
    } catch (error) {
      failures.push(`${method} ${path}: ${error}`);
    }
    return undefined;
  }

  async function sendRandomChange(user: string): Promise<void> {
    const { method, path, body, predictValue } = pickRandom(REQUEST_FACTORIES)(user);
    const verifyAnswer = model.recordChange({ user, predictValue });
    const accepted = await send(method, path, body);
    const difference = accepted === undefined ? undefined : verifyAnswer(accepted);
    if (difference !== undefined) differences.push(`${method} ${path} of ${user}: ${difference}`);
  }

  let mayWrite = Promise.withResolvers<void>();
  mayWrite.resolve();
  const underWay = new Set<Promise<void>>();
  async function runWriter(writerIndex: number): Promise<void> {
    while (!isOver()) {
      await mayWrite.promise;
      const changing = sendRandomChange(`u${writerIndex + WRITER_COUNT * randomInteger(USER_COUNT / WRITER_COUNT)}`);
      underWay.add(changing);
      await changing;
      underWay.delete(changing);
    }
  }

  async function saveSnapshot(snapshot: string): Promise<void> {
    model.startAction('copy');
    if (await send('PUT', `/_control/snapshots/${snapshot}`)) counts['snapshots saved'] += 1;
    snapshots.set(snapshot, model.finishCopy());
  }

  async function replaceWorld(method: string, path: string, body: object | string, content: PossibleUsers): Promise<void> {
    model.startAction('replace');
    if (await send(method, path, body)) counts['worlds replaced'] += 1;
    else differences.push(`${method} ${path} was not accepted`);
    model.finishReplacement(content);
  }

  async function runRandomOperation(): Promise<void> {
    const snapshot = `s${randomInteger(SNAPSHOT_COUNT)}`;
    const content = snapshots.get(snapshot);
    const dice = randomInteger(10);
    if (dice < 3 || content === undefined) return saveSnapshot(snapshot);
    if (dice < 6) return replaceWorld('POST', '/_control/reset', { to: snapshot }, content);
    if (dice < 7) return replaceWorld('POST', '/_control/reset', { to: 'seed' }, seed);
    if (dice < 8) return replaceWorld('PUT', '/_control/state', dump.world, dump.content);
    const last = dump.world.lastIndexOf('"account":"account"');
    await send('PUT', '/_control/state', `${dump.world.slice(0, last)}"account":"nowhere"${dump.world.slice(last + 19)}`);
    await send('POST', '/_control/reset', { to: 'nowhere' });
  }

  async function compareWithModel(): Promise<void> {
    mayWrite = Promise.withResolvers();
    do await Promise.all(underWay);
    while (underWay.size > 0);
    const { ok, text } = await sendTo(kit.url, 'GET', '/_control/state');
    if (ok) differences.push(...model.compare(readUsers(JSON.parse(text) as World)));
    else failures.push(`GET /_control/state: ${text}`);
    dump = { world: text, content: model.finishCopy() };
    const check = sql<{ integrity_check: string }>`pragma integrity_check`.execute(kit.store.db);
    const found = await check.then(
      ({ rows }) => rows.map((row) => row.integrity_check),
      (error) => [String(error)],
    );
    corruption.push(...found.filter((line) => line !== 'ok'));
    counts['comparisons with the model'] += 1;
    mayWrite.resolve();
  }

  try {
    const writers = Array.from({ length: WRITER_COUNT }, (_, first) => runWriter(first));
    for (let next = performance.now() + COMPARISON_INTERVAL_MS; !isOver(); ) {
      await runRandomOperation();
      await pause(randomInteger(1000));
      if (performance.now() < next) continue;
      await compareWithModel();
      next = performance.now() + COMPARISON_INTERVAL_MS;
      log(
        `${counts.accepted} accepted, ${counts.refused} refused, ${counts['worlds replaced']} worlds replaced, ${countProblems()} problems`,
      );
    }
    await Promise.all(writers);
    await compareWithModel();
    for (const [snapshot, content] of countProblems() === 0 ? snapshots : []) {
      await replaceWorld('POST', '/_control/reset', { to: snapshot }, content);
      await compareWithModel();
    }
    return { counts, problems: { '5xx or no response': failures, 'differences from the model': differences, corruption } };
  } finally {
    await kit.close();
  }
}

type UserRequest = Pick<UserChange, 'predictValue'> & { readonly method: string; readonly path: string; readonly body?: object };

/**
 * In `predictValue`, a value is the user's last name, with a final `+` if the user is assigned. The value '' means that the user does not
 * exist.
 */
const REQUEST_FACTORIES: readonly ((user: string) => UserRequest)[] = [
  (user) => {
    const lastName = randomLastName();
    const body = { alias: user, id: toUserId(user), account: ACCOUNT_ALIAS, lastName };
    return { method: 'POST', path: '/_control/state/users', body, predictValue: (oldValue) => (oldValue === '' ? lastName : undefined) };
  },
  (user) => {
    const lastName = randomLastName();
    const predictValue = (oldValue: string) => (oldValue === '' ? undefined : oldValue.endsWith('+') ? `${lastName}+` : lastName);
    return { method: 'PATCH', path: `/_control/state/users/${user}`, body: { lastName }, predictValue };
  },
  (user) => ({ method: 'DELETE', path: `/_control/state/users/${user}`, predictValue: (oldValue) => (oldValue === '' ? undefined : '') }),
  (user) => {
    const body = { experienceId: EXPERIENCE_ID, targetType: 'USER', targetValue: toUserId(user) };
    const predictValue = (oldValue: string) => (oldValue === '' || oldValue.endsWith('+') ? undefined : `${oldValue}+`);
    return { method: 'POST', path: '/experience/assignments', body, predictValue };
  },
  (user) => ({ method: 'PATCH', path: `/_control/state/users/${user}`, body: { account: 'nowhere' }, predictValue: () => undefined }),
  (user) => ({
    method: 'PATCH',
    path: `/_control/state/users/${user}`,
    body: {},
    predictValue: (oldValue) => (oldValue === '' ? undefined : oldValue),
  }),
  () => ({ method: 'DELETE', path: '/_control/snapshots/none', predictValue: () => undefined }),
];

function createWorld(users: ReadonlyMap<string, string>): World {
  return {
    ...createChaosWorld([]),
    users: Object.fromEntries([...users].map(([user, lastName]) => [user, { id: toUserId(user), account: ACCOUNT_ALIAS, lastName }])),
    subscriptions: { inbox: { provider: 'provider', types: [...eventTypes] } },
  };
}

function readUsers({ users = {}, assignments = {} }: World): Map<string, string> {
  const assigned = new Set(Object.values(assignments).map(({ target }) => target));
  return new Map(Object.entries(users).map(([user, { lastName = '' }]) => [user, assigned.has(user) ? `${lastName}+` : lastName]));
}
