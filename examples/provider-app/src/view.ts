import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** An event as the service delivers it. The members of `data` depend on the type. */
export interface ServiceEvent {
  readonly type: string;
  readonly data: Readonly<Record<'accountId' | 'updatedAt' | 'connectionId' | 'assignmentId' | 'userId', string>>;
}

export interface Entity {
  readonly kind: 'connection' | 'assignment' | 'user';
  readonly id: string;
  readonly accountId: string;
  /** DELETED for a deleted entity. Null for a connection with an unknown state. */
  readonly state: 'ACTIVE' | 'INACTIVE' | 'PRESENT' | 'DELETED' | null;
  readonly updatedAt: string;
}

/** Maps an event type to the entity's kind, the member of `data` that contains the entity's id, and the entity's new state. */
const STATE_BY_EVENT_TYPE: Readonly<
  Record<string, readonly [Entity['kind'], 'connectionId' | 'assignmentId' | 'userId', Entity['state']]>
> = {
  // The event of a new connection does not contain the state.
  'experience.connection.created': ['connection', 'connectionId', null],
  'experience.connection.activated': ['connection', 'connectionId', 'ACTIVE'],
  'experience.connection.deactivated': ['connection', 'connectionId', 'INACTIVE'],
  'experience.connection.deleted': ['connection', 'connectionId', 'DELETED'],
  'experience.assignment.created': ['assignment', 'assignmentId', 'PRESENT'],
  'experience.assignment.deleted': ['assignment', 'assignmentId', 'DELETED'],
  'provisioning.user.created': ['user', 'userId', 'PRESENT'],
  'provisioning.user.deleted': ['user', 'userId', 'DELETED'],
};

export type View = ReturnType<typeof openView>;

/** Opens the stored view of connections, assignments and users. Events and lists may update it in any order, and repeatedly. */
export function openView(dataFolder: string) {
  const db = new DatabaseSync(join(dataFolder, 'view.db'));
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS events (webhook_id TEXT PRIMARY KEY, applied INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS entities (
      kind TEXT NOT NULL, id TEXT NOT NULL, account_id TEXT NOT NULL, state TEXT, updated_at TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT`);
  const isKnown = db.prepare('SELECT 1 FROM events WHERE webhook_id = ?');
  const events = db.prepare('SELECT * FROM events');
  const remember = db.prepare('INSERT INTO events VALUES (?, 1) ON CONFLICT DO UPDATE SET applied = applied + 1');
  // Ignores data older than the stored data. Keeps the stored state if the new data has none.
  const upsert = db.prepare(`INSERT INTO entities VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET state = coalesce(excluded.state, state), updated_at = excluded.updated_at
    WHERE excluded.updated_at >= updated_at`);
  const present = db.prepare(`SELECT * FROM entities WHERE kind = ? AND state IS NOT 'DELETED' ORDER BY id`);

  function transaction(change: () => void): void {
    db.exec('BEGIN IMMEDIATE');
    try {
      change();
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }

  function put({ kind, id, accountId, state, updatedAt }: Entity): void {
    upsert.run(kind, id, accountId, state, toSortableInstant(updatedAt));
  }

  /** Returns the entities that are not deleted. */
  function list(kind: Entity['kind']): Entity[] {
    return present.all(kind).map((row) => ({
      kind,
      id: String(row.id),
      accountId: String(row.account_id),
      state: row.state as Entity['state'],
      updatedAt: String(row.updated_at),
    }));
  }

  return {
    list,

    /** Stores the entities of a list, except where a stored entity is newer. */
    putAll: (entities: readonly Entity[]) => transaction(() => entities.forEach(put)),

    /** Applies an event and stores its webhook-id. Ignores an event that was applied before. */
    apply(webhookId: string, { type, data }: ServiceEvent): void {
      const [kind, idMember, state] = STATE_BY_EVENT_TYPE[type] ?? [];
      transaction(() => {
        const isRepeat = isKnown.get(webhookId) !== undefined;
        if (isRepeat) return;
        remember.run(webhookId);
        // An event of an unknown type changes no entity, but is acknowledged.
        if (kind && idMember && state !== undefined)
          put({ kind, id: data[idMember], accountId: data.accountId, state, updatedAt: data.updatedAt });
      });
    },

    /** Deletes everything, including the ids of applied events. */
    clear: () => transaction(() => db.exec('DELETE FROM entities; DELETE FROM events')),

    /** Returns the view in the format of experience-provider-kit's consumer-state.schema.json. */
    state() {
      const users: Record<string, string[]> = {};
      for (const { accountId, id } of list('user')) {
        users[accountId] ??= [];
        users[accountId].push(id);
      }
      return {
        connections: Object.fromEntries(
          list('connection').map(({ id, state, updatedAt }) => [id, { state: toConnectionState(state), updatedAt }]),
        ),
        assignments: Object.fromEntries(list('assignment').map(({ id, updatedAt }) => [id, { updatedAt }])),
        users,
        total: Object.values(users).reduce((sum, ids) => sum + ids.length, 0),
        applied: Object.fromEntries(events.all().map(({ webhook_id, applied }) => [webhook_id, applied])),
      };
    },
    close: () => db.close(),
  };
}

const toConnectionState = (state: Entity['state']) => (state === 'ACTIVE' || state === 'INACTIVE' ? state : null);

/** Formats an instant in UTC with nine fraction digits, for comparison as text. A Date stores only three. */
function toSortableInstant(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return `${new Date(text).toISOString().slice(0, 19)}.${fraction.slice(0, 9).padEnd(9, '0')}Z`;
}
