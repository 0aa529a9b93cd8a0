import { setTimeout as pause } from 'node:timers/promises';
import type { KitProcess } from './kit-process.ts';
import type { Ledger } from './ledger.ts';
import { ACCOUNT, EXPERIENCE } from './world.ts';

export interface Writers {
  /** Writes on the way to this kit: sent, and not answered to the last byte. */
  underWay(slot: number): number;
  stop(): Promise<void>;
}

export interface WritersSettings {
  /** The kits by slot; undefined while one is down. */
  readonly kits: readonly (KitProcess | undefined)[];
  readonly ledger: Ledger;
  /** An access token. */
  readonly token: string;
  /** Writers for each kit. */
  readonly each: number;
  /** False while there is enough to be delivered. */
  readonly mayWrite: () => boolean;
}

interface Answer {
  readonly status: number;
  readonly id: string;
}

/** Users and assignments come and go, one write after the other from each writer, as fast as the kit answers. */
export function startWriters({ kits, ledger, token, each, mayWrite }: WritersSettings): Writers {
  const underWay = kits.map(() => 0);
  let stopped = false;

  /** @returns undefined where no whole acknowledgement came: then nobody knows */
  async function write(slot: number, method: string, path: string, body?: object): Promise<Answer | undefined> {
    const kit = kits[slot];
    if (kit === undefined) return undefined;
    underWay[slot]! += 1;
    try {
      const headers = { 'content-type': 'application/json', ...(path.startsWith('/experience') && { authorization: `Bearer ${token}` }) };
      const response = await fetch(`${kit.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await response.text();
      if (response.ok) {
        ledger.counts.acknowledged += 1;
        return { status: response.status, id: text === '' ? '' : (JSON.parse(text) as { id: string }).id };
      }
      ledger.refusals.push(`${method} ${path}: ${response.status} ${text}`);
    } catch {
      ledger.counts.unacknowledged += 1;
    } finally {
      underWay[slot]! -= 1;
    }
    return undefined;
  }

  /** A user, an assignment to the user, and sometimes the end of one of them. */
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
      const gone = await write(slot, 'DELETE', `/experience/assignments/${assignment.id}`);
      ledger[gone ? 'deleted' : 'unknown']('assignments', assignment.id);
    } else if (dice < 0.6) {
      const gone = await write(slot, 'DELETE', `/_control/state/users/${user.id}`);
      ledger[gone ? 'deleted' : 'unknown']('users', user.id);
      ledger[gone ? 'deleted' : 'unknown']('assignments', assignment.id);
    }
  }

  async function writer(slot: number): Promise<void> {
    while (!stopped) {
      if (kits[slot] !== undefined && mayWrite()) await round(slot);
      else await pause(5);
    }
  }

  const writers = kits.flatMap((_, slot) => Array.from({ length: each }, () => writer(slot)));
  return {
    underWay: (slot) => underWay[slot] ?? 0,
    async stop() {
      stopped = true;
      await Promise.all(writers);
    },
  };
}
