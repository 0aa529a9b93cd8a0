import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventTypes } from '../src/contract/generated/events.ts';
import { createKit } from '../src/kit.ts';
import type { World } from '../src/world/world.ts';
import { ACCOUNT, chaosWorld, EXPERIENCE, send as sendTo } from './kits.ts';
import { type Change, createModel, type Image } from './model.ts';
import type { Report } from './report.ts';

const WRITERS = 12;
const USERS = 1200;
const SNAPSHOTS = 6;
const COMPARE_EVERY_MS = 10_000;

const random = (count: number) => Math.floor(Math.random() * count);
const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
const idOf = (user: string) => `0190f000-0000-7000-8000-${user.slice(1).padStart(12, '0')}`;
/** A random last name. One of 20 is longer than a database page, so that it is stored in several pages. */
const name = () => `n${random(1e9)}`.padEnd(random(20) === 0 ? 6000 : random(600), 'x');

/**
 * Runs writers and an operator against a kit with the default store at the same time. They write, try forbidden writes, save snapshots, and
 * reset or replace the world. The world is compared with a model of what it should contain.
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
  const snapshots = new Map<string, Image>();
  let dump = { world: JSON.stringify(world), image: seed };
  const deadline = performance.now() + minutes * 60_000;
  const problems = () => failures.length + differences.length + corruption.length;
  const isOver = () => performance.now() > deadline || problems() > 0;

  /** Sends a request. @returns whether the kit accepted it; undefined for a 5xx or if there was no response */
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

  async function replace(method: string, path: string, body: object | string, image: Image): Promise<void> {
    model.open('replace');
    if (await send(method, path, body)) counts['worlds replaced'] += 1;
    else differences.push(`${method} ${path} was not accepted`);
    model.replaced(image);
  }

  async function operate(): Promise<void> {
    const snapshot = `s${random(SNAPSHOTS)}`;
    const image = snapshots.get(snapshot);
    const dice = random(10);
    if (dice < 3 || image === undefined) return save(snapshot);
    if (dice < 6) return replace('POST', '/_control/reset', { to: snapshot }, image);
    if (dice < 7) return replace('POST', '/_control/reset', { to: 'seed' }, seed);
    if (dice < 8) return replace('PUT', '/_control/state', dump.world, dump.image);
    const last = dump.world.lastIndexOf('"account":"account"');
    await send('PUT', '/_control/state', `${dump.world.slice(0, last)}"account":"nowhere"${dump.world.slice(last + 19)}`);
    await send('POST', '/_control/reset', { to: 'nowhere' });
  }

  /** Pauses the writers, compares the world with the model, and checks the database for corruption. */
  async function compare(): Promise<void> {
    mayWrite = Promise.withResolvers();
    do await Promise.all(underWay);
    while (underWay.size > 0);
    const { ok, text } = await sendTo(kit.url, 'GET', '/_control/state');
    if (ok) differences.push(...model.compare(usersOf(JSON.parse(text) as World)));
    else failures.push(`GET /_control/state: ${text}`);
    dump = { world: text, image: model.copied() };
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
    for (const [snapshot, image] of problems() === 0 ? snapshots : []) {
      await replace('POST', '/_control/reset', { to: snapshot }, image);
      await compare();
    }
    return { counts, problems: { '5xx or no response': failures, 'differences from the model': differences, corruption } };
  } finally {
    await kit.close();
  }
}

type Request = Pick<Change, 'apply'> & { readonly method: string; readonly path: string; readonly body?: object };

/**
 * The requests of writers. The model stores a user as one string: the last name, with `+` at its end if the user is assigned, or '' if the
 * user does not exist.
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
  // The last two requests change nothing, but the first of them runs a transaction.
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
