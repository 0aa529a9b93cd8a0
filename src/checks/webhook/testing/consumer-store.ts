import type { ExperienceProviderEvent } from '../../../contract/generated/events.ts';
import type { Fault, Style } from './faults.ts';

/** A deleted entity remains, so that no older event restores it. */
interface StoredEntity {
  readonly kind: 'connections' | 'assignments' | 'users';
  readonly accountId: string;
  /** For an assignment. */
  readonly experienceId?: string;
  readonly target?: string;
  readonly updatedAt: string;
  readonly state?: 'ACTIVE' | 'INACTIVE' | undefined;
  readonly isDeleted?: boolean;
  readonly changes?: number;
}

export interface ListedEntity {
  readonly id: string;
  readonly accountId: string;
  readonly state?: 'ACTIVE' | 'INACTIVE';
  /** Absent or null for a user that was never updated. */
  readonly updatedAt?: string | null;
  readonly createdAt?: string;
}

/** Creates a store that follows consumer rules 1 to 3 (Events › Consumer rules). */
export function createStore(fault: Fault | undefined, style: Style | undefined) {
  const entries = new Map<string, StoredEntity>();
  /** How often each event was applied, by webhook-id. */
  const applied = new Map<string, number>();
  /** The keys of applied deliveries, in order of arrival. */
  const ids: string[] = [];
  /** The accounts for which the consumer has read GET /users. */
  const seeded = new Set<string>();
  let counted = 0;
  let latest: StoredEntity | undefined;

  function isOlder({ updatedAt: first }: StoredEntity, { updatedAt: second }: StoredEntity): boolean {
    if (fault === 'applies-older') return false;
    if (fault === 'compares-text') return first < second;
    if (style === 'keeps-milliseconds-only') return Date.parse(first) < Date.parse(second);
    if (fault === 'discards-equal') return parseInstant(first) <= parseInstant(second);
    return parseInstant(first) < parseInstant(second);
  }

  function prepareWrite(id: string, entry: StoredEntity): (() => void) | undefined {
    const known = entries.get(id);
    const compared = fault === 'compares-with-the-latest-event' && entry.kind === 'connections' ? latest : known;
    if (compared && isOlder(entry, compared)) return undefined;
    latest = entry;
    if (fault === 'ignores-unknown-deletions' && entry.isDeleted && !known) return undefined;
    if (fault === 'drops-third-change' && known && known.changes === 2) return undefined;
    if (fault === 'forgets-deletions' && entry.isDeleted) return () => void entries.delete(id);
    return () => {
      entries.set(id, { ...entry, changes: (known?.changes ?? 0) + 1 });
      if (!entry.isDeleted) return;
      const deletions = [...entries].filter(([, each]) => each.isDeleted);
      if (fault === 'remembers-3-deletions') for (const [old] of deletions.slice(0, -3)) entries.delete(old);
    };
  }

  const listExisting = (kind: StoredEntity['kind']) => [...entries].filter(([, entry]) => entry.kind === kind && !entry.isDeleted);

  return {
    seeded,
    isKnown(id: string): boolean {
      if (fault === 'never-deduplicates') return false;
      if (fault === 'remembers-last-id') return ids.at(-1) === id;
      if (fault === 'remembers-3-ids') return ids.slice(-3).includes(id);
      if (fault === 'remembers-100-ids') return ids.slice(-100).includes(id);
      return ids.includes(id);
    },
    recordAppliedEvent(deduplicationKey: string, webhookId: string): void {
      ids.push(deduplicationKey);
      applied.set(webhookId, (applied.get(webhookId) ?? 0) + 1);
    },
    prepareChange(event: ExperienceProviderEvent): (() => void) | undefined {
      const [id, entryOfEvent] = toStoredEntity(event);
      if (fault === 'deletes-assignments-with-their-connection' && event.type === 'experience.connection.deleted')
        for (const [other, { experienceId }] of entries) if (experienceId === event.scope.experienceId) entries.delete(other);
      if (fault === 'deletes-users-with-their-assignment' && event.type === 'experience.assignment.deleted')
        entries.delete(event.data.targetValue);
      if (fault === 'stores-assignments-by-target' && 'assignmentId' in event.data)
        for (const [other, { target }] of entries) if (target === event.data.targetValue && other !== id) entries.delete(other);
      const entry = fault === 'compares-envelope-timestamp' ? { ...entryOfEvent, updatedAt: event.timestamp } : entryOfEvent;
      if (entry.kind !== 'users') return prepareWrite(id, entry);
      if (fault === (entry.isDeleted ? 'never-removes-users' : 'never-adds-users')) return undefined;
      counted += entry.isDeleted ? -1 : 1;
      if (fault === 'one-set-for-all-accounts') return prepareWrite(id, { ...entry, accountId: [...seeded][0]! });
      // The fault `counts-users-twice` stores a user twice if two events add the user.
      const known = entries.get(id);
      const isSecond = known && !known.isDeleted && !entry.isDeleted;
      return prepareWrite(fault === 'counts-users-twice' && isSecond ? `${id} again` : id, entry);
    },
    /** Adds an entity that the API returned, unless the stored entity is newer. */
    addListed(kind: StoredEntity['kind'], { id, accountId, state, updatedAt, createdAt = '' }: ListedEntity): void {
      const storedAt = fault === 'rebuild-stores-the-time' ? new Date().toISOString() : (updatedAt ?? createdAt);
      const entry = { kind, accountId, state, updatedAt: storedAt };
      if (kind === 'users') counted++;
      if (fault === 'rebuild-overwrites') entries.set(id, entry);
      else prepareWrite(id, entry)?.();
    },
    knows: (event: ExperienceProviderEvent) => entries.has(toStoredEntity(event)[0]),
    remove: (id: string) => void entries.delete(id),
    removeUsers(account: string): void {
      for (const [id, { kind, accountId }] of entries) if (kind === 'users' && accountId === account) entries.delete(id);
    },
    forgetVersions(): void {
      for (const [id, entry] of entries) entries.set(id, { ...entry, updatedAt: '1970-01-01T00:00:00Z' });
    },
    view() {
      const users = Object.groupBy(listExisting('users'), ([, { accountId }]) => accountId);
      const sets = [...new Set([...seeded, ...Object.keys(users)])].map((account) => {
        const ids = (users[account] ?? []).map(([id]) => id.replace(' again', ''));
        return [account, ids] as const;
      });
      return {
        connections: Object.fromEntries(
          listExisting('connections').map(([id, { state, updatedAt }]) => [id, { state: state ?? null, updatedAt }]),
        ),
        assignments: Object.fromEntries(listExisting('assignments').map(([id, { updatedAt }]) => [id, { updatedAt }])),
        users: Object.fromEntries(sets),
        total: fault?.startsWith('counts-events') ? counted : sets.reduce((sum, [, ids]) => sum + ids.length, 0),
        applied: Object.fromEntries(applied),
      };
    },
  };
}

function toStoredEntity({ type, data }: ExperienceProviderEvent): [id: string, entry: StoredEntity] {
  const { accountId, updatedAt } = data;
  const isDeleted = type.endsWith('.deleted');
  if ('connectionId' in data) {
    const state = type === 'experience.connection.activated' ? 'ACTIVE' : 'INACTIVE';
    return [data.connectionId, { kind: 'connections', accountId, updatedAt, isDeleted, state }];
  }
  if ('assignmentId' in data)
    return [
      data.assignmentId,
      { kind: 'assignments', accountId, experienceId: data.experienceId, target: data.targetValue, updatedAt, isDeleted },
    ];
  return [data.userId, { kind: 'users', accountId, updatedAt, isDeleted }];
}

/** Returns nanoseconds since the Unix epoch, because `Date.parse` ignores fractions of a millisecond. */
function parseInstant(text: string): bigint {
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? [];
  return BigInt(Date.parse(text.replace(/\.\d+/, ''))) * 1_000_000n + BigInt(digits.padEnd(9, '0').slice(0, 9));
}
