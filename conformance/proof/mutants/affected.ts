import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note } from './boundary.ts';
import type { Choice } from './choose.ts';
import type { Reply, Request } from './exchange.ts';
import type { Handlers, Kit, Mutant } from './mutant.ts';
import type { Outcomes } from './reporter.ts';

/** Nothing is known any more of the world that the notes were taken in: whoever asks may act. */
class Unknown extends Error {}
const UNKNOWN: Kit = {
  control: new Proxy({}, { get: () => () => Promise.reject(new Unknown()) }) as Kit['control'],
  exists: () => Promise.reject(new Unknown()),
  deliver: () => Promise.reject(new Unknown()),
};

/**
 * By saboteur, the checks of other rules that would meet something else than the service: found by playing to each saboteur what the service was
 * asked and said in every check. Of those of one rule the first is enough, as one red check makes the rule red.
 */
export async function affected(saboteurs: readonly Mutant[], { checks }: Outcomes, folder: string): Promise<Choice> {
  const notes = Map.groupBy(await readNotes(folder), ({ check }) => check);
  const choice: Record<string, string[]> = {};
  for (const { name, rule, start } of saboteurs) {
    const chosen: string[] = [];
    const covered = new Set([rule]);
    for (const { check, rules, costly } of checks) {
      const fresh = rules.filter((id) => !covered.has(id));
      if (costly || fresh.length === 0 || !(await acts(start(), notes.get(check) ?? []))) continue;
      for (const id of fresh) covered.add(id);
      chosen.push(check);
    }
    choice[name] = chosen;
  }
  return choice;
}

async function acts({ requests, deliveries }: Handlers, notes: readonly Note[]): Promise<boolean> {
  // What was delivered is not noted, only that something was.
  if (deliveries !== undefined && notes.some((note) => 'delivered' in note)) return true;
  if (requests === undefined) return false;
  for (const note of notes) {
    if ('delivered' in note) continue;
    const { request, reply } = note;
    let passed = 0;
    const service = async (asked: Request): Promise<Reply> => {
      passed += 1;
      if (!sameRequest(asked, request)) throw new Unknown();
      return reply;
    };
    try {
      const answer = await requests(request, service, UNKNOWN);
      if (passed !== 1 || !sameReply(answer, reply)) return true;
    } catch (error) {
      if (error instanceof Unknown) return true;
      throw error;
    }
  }
  return false;
}

function sameRequest(left: Request, right: Request): boolean {
  return (
    left === right || (left.method === right.method && left.url === right.url && left.text === right.text && left.headers === right.headers)
  );
}

function sameReply(left: Reply, right: Reply): boolean {
  return (
    left === right ||
    (left.status === right.status && left.text === right.text && JSON.stringify(left.headers) === JSON.stringify(right.headers))
  );
}

async function readNotes(folder: string): Promise<Note[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Note),
  );
}
