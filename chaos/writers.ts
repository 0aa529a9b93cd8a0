import { setTimeout as pause } from 'node:timers/promises';
import { ACCOUNT, EXPERIENCE, type KitProcess } from './kits.ts';
import type { Ledger } from './ledger.ts';

export interface Writers {
  /** Writes to this kit that are sent and not yet completely answered. */
  underWay(slot: number): number;
  stop(): Promise<void>;
}

export interface WritersSettings {
  /** The kits by slot; undefined while one is down. */
  readonly kits: readonly (KitProcess | undefined)[];
  readonly ledger: Ledger;
  /** An access token. */
  readonly token: string;
  readonly writersPerKit: number;
  /** False while too many deliveries are open. */
  readonly mayWrite: () => boolean;
}

/** Starts writers that create and delete users and assignments. Each sends one write at a time, as fast as the kit answers. */
export function startWriters({ kits, ledger, token, writersPerKit, mayWrite }: WritersSettings): Writers {
  const underWay = kits.map(() => 0);
  let stopped = false;

  /** @returns undefined if no complete acknowledgement came, so that the outcome is unknown */
  async function write(slot: number, method: string, path: string, body?: object): Promise<{ id: string } | undefined> {
    const kit = kits[slot];
    if (kit === undefined) return undefined;
    underWay[slot]! += 1;
    try {
      const headers = { 'content-type': 'application/json', ...(path.startsWith('/experience') && { authorization: `Bearer ${token}` }) };
      const response = await fetch(`${kit.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await response.text();
      if (response.ok) {
        ledger.counts.acknowledged += 1;
        return { id: text === '' ? '' : (JSON.parse(text) as { id: string }).id };
      }
      ledger.refusals.push(`${method} ${path}: ${response.status} ${text}`);
    } catch {
      ledger.counts.unacknowledged += 1;
    } finally {
      underWay[slot]! -= 1;
    }
    return undefined;
  }

  /** Creates a user and an assignment to it, and sometimes deletes one of them. */
  async function round(slot: number): Promise<void> {
    const user = await write(slot, 'POST', '/_control/state/users', { account: ACCOUNT, firstName: 'Ada', lastName: 'Lovelace' });
    if (user === undefined) return;
    ledger.created('users', user.id);
    const target = { experienceId: EXPERIENCE, targetType: 'USER', targetValue: user.id };
    const assignment = await write(slot, 'POST', '/experience/assignments', target);
    if (assignment === undefined) return;
    ledger.created('assignments', assignment.id);
    const dice = Math.random();
    if (dice < 0.4) {
      const acknowledged = await write(slot, 'DELETE', `/experience/assignments/${assignment.id}`);
      ledger[acknowledged ? 'deleted' : 'unknown']('assignments', assignment.id);
    } else if (dice < 0.6) {
      const acknowledged = await write(slot, 'DELETE', `/_control/state/users/${user.id}`);
      ledger[acknowledged ? 'deleted' : 'unknown']('users', user.id);
      ledger[acknowledged ? 'deleted' : 'unknown']('assignments', assignment.id);
    }
  }

  async function writer(slot: number): Promise<void> {
    while (!stopped) {
      if (kits[slot] !== undefined && mayWrite()) await round(slot);
      else await pause(5);
    }
  }

  const writers = kits.flatMap((_, slot) => Array.from({ length: writersPerKit }, () => writer(slot)));
  return {
    underWay: (slot) => underWay[slot] ?? 0,
    async stop() {
      stopped = true;
      await Promise.all(writers);
    },
  };
}
