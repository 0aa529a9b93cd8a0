import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Executor } from '../engine.ts';

type Connect = () => Promise<pg.PoolClient>;

/** After this time, in milliseconds, later statements no longer wait for a group, and use another connection. */
const SLOW_MS = 20;

const names = new Map<string, string>();

/** With a name, PostgreSQL plans a statement only once per connection. */
function getName(text: string): string | undefined {
  // Another replica's migration may add a column, after which PostgreSQL refuses to execute a prepared `select *`.
  if (text.includes('*')) return undefined;
  if (!names.has(text)) names.set(text, `s${names.size}`);
  return names.get(text);
}

interface WaitingStatement {
  readonly getStatement: () => pg.QueryConfig;
  readonly resolve: (result: Promise<pg.QueryResult>) => void;
}

export type StatementGroups = ReturnType<typeof createStatementGroups>;

/** Sends statements that arrive together in one round trip. Each statement is its own transaction. */
export function createStatementGroups(connect: Connect) {
  let waiting: WaitingStatement[] = [];
  let waitingReads = new Map<string, Promise<pg.QueryResult>>();
  let isSending = false;

  async function sendGroup(group: readonly WaitingStatement[]): Promise<void> {
    const connecting = connect();
    const results = group.map(async ({ getStatement }) => {
      // Before the connection is open: even if that fails, no request may join the statement any more.
      const statement = getStatement();
      return (await connecting).query(statement);
    });
    for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    await Promise.allSettled(results);
    const [connected] = await Promise.allSettled([connecting]);
    if (connected.status === 'fulfilled') connected.value.release();
  }

  async function sendWaiting(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      // Waits, so that statements of requests that have already arrived join this group.
      await new Promise(setImmediate);
      const group = waiting;
      waiting = [];
      // Later reads may have to see changes that these reads do not see.
      waitingReads = new Map();
      await Promise.race([sendGroup(group), pause(SLOW_MS)]);
    }
    isSending = false;
  }

  /** @param getStatement called once, when the statement no longer waits; never before `execute` has returned */
  function execute<R extends pg.QueryResultRow>(getStatement: () => pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const { promise, resolve } = Promise.withResolvers<pg.QueryResult>();
    waiting.push({ getStatement, resolve });
    if (!isSending) void sendWaiting();
    return promise as Promise<pg.QueryResult<R>>;
  }

  /** Equal reads that wait share a statement, and its rows. */
  function read<R>(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly R[] }> {
    const key = JSON.stringify([text, values]);
    let result = waitingReads.get(key);
    if (result === undefined) {
      result = execute(() => ({ name: getName(text), text, values: [...values] }));
      waitingReads.set(key, result);
    }
    return result;
  }

  return { execute, read };
}

const groupsOfDatabases = new WeakMap<Executor, StatementGroups>();

/** Lets prepared reads outside transactions use `groups`, because Kysely's connections wait for the result of each query. */
export const setStatementGroups = (db: Executor, groups: StatementGroups) => groupsOfDatabases.set(db, groups);

/** Undefined in a transaction, on SQLite, and for a Kysely instance that was derived from the database, such as one with a plugin. */
export const getStatementGroups = (executor: Executor): StatementGroups | undefined => groupsOfDatabases.get(executor);
