import { setTimeout as pause } from 'node:timers/promises';
import { ACCOUNT_ALIAS, EXPERIENCE_ID, sendRequest } from './kits.ts';
import type { Ledger } from './ledger.ts';

interface Address {
  readonly url: string;
}

interface WritersSettings {
  /** The addresses of the kits, or of a proxy in front of them. The address of a stopped kit is undefined. */
  readonly kits: readonly (Address | undefined)[];
  readonly ledger: Ledger;
  readonly token: string;
  readonly writersPerKit: number;
  /** Returns false while too many deliveries are pending, so that the writers pause. */
  readonly mayWrite: () => boolean;
  readonly account?: string;
  readonly experienceId?: string;
}

export function startWriters(settings: WritersSettings): () => Promise<void> {
  const { kits, ledger, token, writersPerKit, mayWrite, account = ACCOUNT_ALIAS, experienceId = EXPERIENCE_ID } = settings;
  let stopped = false;

  const selectToken = (path: string) => (path.startsWith('/experience') ? token : undefined);

  /** @returns the entity's id; undefined if the write failed */
  async function sendWrite({ url }: Address, method: string, path: string, body?: object): Promise<{ id: string } | undefined> {
    const answer = await ledger.receive(`${method} ${path}`, sendRequest(url, method, path, body, selectToken(path)));
    if (answer === undefined) return undefined;
    ledger.acknowledged += 1;
    // The journal does not contain requests to the control API.
    if (selectToken(path) !== undefined) ledger.requests.push(answer.traceId);
    return { id: answer.text === '' ? '' : (JSON.parse(answer.text) as { id: string }).id };
  }

  async function expectStatus({ url }: Address, path: string, expected: number): Promise<void> {
    await ledger.receive(`GET ${path}`, sendRequest(url, 'GET', path, undefined, selectToken(path)), ({ status }) => status === expected);
  }

  async function writeRound(kit: Address): Promise<void> {
    const user = await sendWrite(kit, 'POST', '/_control/state/users', { account, firstName: 'Ada', lastName: 'Lovelace' });
    if (user === undefined) return;
    ledger.record('users', user.id, 'present');
    const target = { experienceId, targetType: 'USER', targetValue: user.id };
    const assignment = await sendWrite(kit, 'POST', '/experience/assignments', target);
    if (assignment === undefined) return;
    ledger.record('assignments', assignment.id, 'present');
    const assignmentPath = `/experience/assignments/${assignment.id}`;
    await expectStatus(kit, assignmentPath, 200);
    const dice = Math.random();
    if (dice > 0.6) return;
    const deletesUser = dice > 0.4;
    const path = deletesUser ? `/_control/state/users/${user.id}` : assignmentPath;
    const presence = (await sendWrite(kit, 'DELETE', path)) ? 'absent' : 'unknown';
    if (deletesUser) ledger.record('users', user.id, presence);
    ledger.record('assignments', assignment.id, presence);
    if (presence === 'absent') await expectStatus(kit, assignmentPath, 404);
  }

  async function runWriter(slot: number): Promise<void> {
    while (!stopped) {
      const kit = kits[slot];
      if (kit !== undefined && mayWrite()) await writeRound(kit);
      else await pause(5);
    }
  }

  const writers = kits.flatMap((_, slot) => Array.from({ length: writersPerKit }, () => runWriter(slot)));
  return async () => {
    stopped = true;
    await Promise.all(writers);
  };
}
