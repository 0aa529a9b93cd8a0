import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventTypes } from '../src/contract/generated/events.ts';
import { createKit } from '../src/kit.ts';
import type { World } from '../src/world/world.ts';
import { ACCOUNT, chaosWorld, EXPERIENCE, send as sendTo } from './kits.ts';
import { type Change, createModel, type PossibleUsers } from './model.ts';
import type { Report } from './report.ts';

const WRITERS = 12;
const USERS = 1200;
const SNAPSHOTS = 6;
const COMPARE_EVERY_MS = 10_000;

const random = (count: number) => Math.floor(Math.random() * count);
const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
const idOf = (user: string) => `0190f000-0000-7000-8000-${user.slice(1).padStart(12, '0')}`;
/** Returns a random last name. One name in 20 is longer than a database page, so that SQLite stores it in several pages. */
const name = () => `n${random(1e9)}`.padEnd(random(20) === 0 ? 6000 : random(600), 'x');

/**
 * Runs writers and an operator against a kit with the default store, all at the same time. The writers send valid and forbidden writes. The
 * operator saves snapshots, and resets or replaces the world. The world is then compared with a model, which predicts the content.
 */
export async function defaultStore(minutes: number, log: (text: string) => void): Promise<Report> {
  const counts = { accepted: 0, refused: 0, 'worlds replaced': 0, 'snapshots saved': 0, 'comparisons with the model': 0 };
  const failures: string[] = [];
  const differences: string[] = [];
  const corruption: string[] = [];
  const users = new Map(Array.from({ length: USERS }, (_, n) => [`u${n}`, name()]));
  const world = worldOf(users);
  const kit = await createKit({ port: 0, fixtures: world, logLevel: 'silent' });
  const token = Object.values(await kit.tokens())[0];
  const model = createModel(users);
  const seed = model.copied();
  const snapshots = new Map<string, PossibleUsers>();
  let dump = { world: JSON.stringify(world), content: seed };
  const deadline = performance.now() + minutes * 60_000;
  const problems = () => failures.length + differences.length + corruption.length;
  const isOver = () => performance.now() > deadline || problems() > 0;

  /**
   * Sends a request.
   * @returns whether the kit accepted the request; undefined if there was no response, or a response with a status of 500 or above
   */
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

  async function change(user: string): Promise<void> {
    const { method, path, body, apply } = pick(CHANGES)(user);
    const verifyAnswer = model.send({ user, apply });
    const accepted = await send(method, path, body);
    const difference = accepted === undefined ? undefined : verifyAnswer(accepted);
    if (difference !== undefined) differences.push(`${method} ${path} of ${user}: ${difference}`);
  }

  let mayWrite = Promise.withResolvers<void>();
  mayWrite.resolve();
  const underWay = new Set<Promise<void>>();
  async function writer(first: number): Promise<void> {
    while (!isOver()) {
      await mayWrite.promise;
      const changing = change(`u${first + WRITERS * random(USERS / WRITERS)}`);
      underWay.add(changing);
      await changing;
      underWay.delete(changing);
    }
  }

  async function save(snapshot: string): Promise<void> {
    model.open('copy');
    if (await send('PUT', `/_control/snapshots/${snapshot}`)) counts['snapshots saved'] += 1;
    snapshots.set(snapshot, model.copied());
  }

  async function replace(method: string, path: string, body: object | string, content: PossibleUsers): Promise<void> {
    model.open('replace');
    if (await send(method, path, body)) counts['worlds replaced'] += 1;
    else differences.push(`${method} ${path} was not accepted`);
    model.replaced(content);
  }

  async function operate(): Promise<void> {
    const snapshot = `s${random(SNAPSHOTS)}`;
    const content = snapshots.get(snapshot);
    const dice = random(10);
    if (dice < 3 || content === undefined) return save(snapshot);
    if (dice < 6) return replace('POST', '/_control/reset', { to: snapshot }, content);
    if (dice < 7) return replace('POST', '/_control/reset', { to: 'seed' }, seed);
    if (dice < 8) return replace('PUT', '/_control/state', dump.world, dump.content);
    const last = dump.world.lastIndexOf('"account":"account"');
    await send('PUT', '/_control/state', `${dump.world.slice(0, last)}"account":"nowhere"${dump.world.slice(last + 19)}`);
    await send('POST', '/_control/reset', { to: 'nowhere' });
  }

  /** Pauses the writers, compares the world with the model, and runs the integrity check of SQLite. */
  async function compare(): Promise<void> {
    mayWrite = Promise.withResolvers();
    do await Promise.all(underWay);
    while (underWay.size > 0);
    const { ok, text } = await sendTo(kit.url, 'GET', '/_control/state');
    if (ok) differences.push(...model.compare(usersOf(JSON.parse(text) as World)));
    else failures.push(`GET /_control/state: ${text}`);
    dump = { world: text, content: model.copied() };
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
    const writers = Array.from({ length: WRITERS }, (_, first) => writer(first));
    for (let next = performance.now() + COMPARE_EVERY_MS; !isOver(); ) {
      await operate();
      await pause(random(1000));
      if (performance.now() < next) continue;
      await compare();
      next = performance.now() + COMPARE_EVERY_MS;
      log(`${counts.accepted} accepted, ${counts.refused} refused, ${counts['worlds replaced']} worlds replaced, ${problems()} problems`);
    }
    await Promise.all(writers);
    await compare();
    for (const [snapshot, content] of problems() === 0 ? snapshots : []) {
      await replace('POST', '/_control/reset', { to: snapshot }, content);
      await compare();
    }
    return { counts, problems: { '5xx or no response': failures, 'differences from the model': differences, corruption } };
  } finally {
    await kit.close();
  }
}

type Request = Pick<Change, 'apply'> & { readonly method: string; readonly path: string; readonly body?: object };

/**
 * The requests that writers send. The model stores each user as a string. The string is the last name, followed by `+` if the user is
 * assigned, or '' if the user does not exist.
 */
const CHANGES: readonly ((user: string) => Request)[] = [
  (user) => {
    const lastName = name();
    const body = { alias: user, id: idOf(user), account: ACCOUNT, lastName };
    return { method: 'POST', path: '/_control/state/users', body, apply: (before) => (before === '' ? lastName : undefined) };
  },
  (user) => {
    const lastName = name();
    const apply = (before: string) => (before === '' ? undefined : before.endsWith('+') ? `${lastName}+` : lastName);
    return { method: 'PATCH', path: `/_control/state/users/${user}`, body: { lastName }, apply };
  },
  (user) => ({ method: 'DELETE', path: `/_control/state/users/${user}`, apply: (before) => (before === '' ? undefined : '') }),
  (user) => {
    const body = { experienceId: EXPERIENCE, targetType: 'USER', targetValue: idOf(user) };
    const apply = (before: string) => (before === '' || before.endsWith('+') ? undefined : `${before}+`);
    return { method: 'POST', path: '/experience/assignments', body, apply };
  },
  (user) => ({ method: 'PATCH', path: `/_control/state/users/${user}`, body: { account: 'nowhere' }, apply: () => undefined }),
  // The empty PATCH runs a transaction that changes nothing. The DELETE of an unknown snapshot is refused.
  (user) => ({ method: 'PATCH', path: `/_control/state/users/${user}`, body: {}, apply: (before) => (before === '' ? undefined : before) }),
  () => ({ method: 'DELETE', path: '/_control/snapshots/none', apply: () => undefined }),
];

function worldOf(users: ReadonlyMap<string, string>): World {
  return {
    ...chaosWorld([]),
    users: Object.fromEntries([...users].map(([user, lastName]) => [user, { id: idOf(user), account: ACCOUNT, lastName }])),
    subscriptions: { inbox: { provider: 'provider', types: [...eventTypes] } },
  };
}

function usersOf({ users = {}, assignments = {} }: World): Map<string, string> {
  const assigned = new Set(Object.values(assignments).map(({ target }) => target));
  return new Map(Object.entries(users).map(([user, { lastName = '' }]) => [user, assigned.has(user) ? `${lastName}+` : lastName]));
}
