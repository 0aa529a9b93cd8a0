import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../target/exchange.ts';
import { createPacer } from '../target/pacer.ts';
import { burst } from './burst.ts';
import type { Call, Client } from './client.ts';

export const OPERATION = 'getExperienceAssignability';
/** Checks in a second of one credential (Limits). */
export const LIMIT = 100;
/** After this any window is empty and any bucket is full. */
const IDLE_MS = 1100;
/** So many for so long that within three seconds a limit of 150 lets more pass, however a second is measured, than any window lets pass of 100. */
const PER_SECOND = 300;
const LASTS_MS = 2800;
/** Where a machine manages fewer it takes longer, but no longer than this. */
const PATIENCE_MS = 4900;
/** How many wait for an answer at any time. */
const LANES = 24;
/** After how many checks one of the other credential is sent. */
const INTERVAL = 40;

export type Check = Call & { readonly token: string };

/** More checks of one credential than are allowed, for some seconds. */
export interface RateLoad {
  /** As many as are allowed in a second, at once, of a credential that was not used before. */
  readonly first: readonly Answer[];
  /** All of the credential, these first ones among them, and how many milliseconds after the first was sent each was answered. */
  readonly all: readonly { readonly answer: Answer; readonly at: number }[];
  /** Checks of another credential, each between two of the first credential. */
  readonly meanwhile: readonly { readonly before: Answer; readonly other: Answer; readonly after: Answer }[];
}

/** Whether this is what a check is answered with, within a limit or beyond it: of anything else a load shows nothing. */
function isAnswer({ status, json }: Answer): boolean {
  return status === 429 || (status === 200 && typeof (json as { assignable?: unknown } | undefined)?.assignable === 'boolean');
}

/**
 * As many checks as are allowed in a second, at once, of a credential of which nothing is counted any more. Undefined where none is answered as one.
 *
 * @param send sends a check of it.
 */
export async function firstChecks(credential: Pick<Check, 'token'>, send: () => Promise<Answer>): Promise<readonly Answer[] | undefined> {
  await idle(credential);
  const { answers } = await burst(LIMIT, send);
  used(credential);
  return answers.some(isAnswer) ? answers : undefined;
}

/** Undefined where no check of the first second is answered as one: the rest is not sent. @param forms under which the checks after the first are sent in turn. @param other a check of another credential. */
export async function rateLoad(api: Client, good: Check, forms: readonly Client['form'][], other?: Check): Promise<RateLoad | undefined> {
  let startedAt: number | undefined;
  const duration = () => performance.now() - (startedAt ?? performance.now());
  const all: RateLoad['all'][number][] = [];
  const meanwhile: RateLoad['meanwhile'][number][] = [];
  let passed = 0;
  const check = async (form = api.form): Promise<Answer> => {
    startedAt ??= performance.now();
    const answer = await api.once(OPERATION, { ...good, form });
    all.push({ answer, at: duration() });
    if (answer.status === 200) passed += 1;
    return answer;
  };
  const isTooFew = () => all.length < 1.5 * mostWithin(Math.ceil(duration() / 1000)) || (all[1.5 * LIMIT]?.at ?? duration()) > 700;
  // More than any limit lets pass: more of them would show nothing more.
  const isTooMuch = () => passed > mostWithin(Math.ceil(duration() / 1000));
  const first = await firstChecks(good, () => check());
  if (first === undefined) return undefined;
  const pace = createPacer(PER_SECOND, () => performance.now());
  let next = 0;
  const lane = async () => {
    while (!isTooMuch() && (duration() < LASTS_MS || (isTooFew() && duration() < PATIENCE_MS))) {
      const index = next++;
      const form = forms[index % forms.length];
      await pace();
      const before = await check(form);
      // This worker has done nothing else for so long: nothing is counted any more of what the other credential was used for before.
      if (other !== undefined && index % INTERVAL === 0 && duration() > IDLE_MS)
        meanwhile.push({ before, other: await api.once(OPERATION, other), after: await check(form) });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  used(good);
  return { first, all, meanwhile };
}

/**
 * How many checks may pass within so many whole seconds. How a second is measured is open: sliding, by the calendar, or as a bucket that refills. In n
 * seconds the first lets n × 100 pass; n + 1 calendar seconds may touch them; a full bucket and what flows into it is as much. So whatever the window
 * is, it is at most (n + 1) × 100.
 */
export function mostWithin(seconds: number): number {
  return (seconds + 1) * LIMIT;
}

/** When credentials were last used here, in milliseconds since this worker began. What was before that was before its first moment. */
const lastUse = new Map<string, number>();

/** Tells that the credential was used until now. */
export function used({ token }: Pick<Check, 'token'>): void {
  lastUse.set(token, performance.now());
}

/** Waits until the credential was not used for so long that nothing is counted of it any more. */
async function idle({ token }: Pick<Check, 'token'>): Promise<void> {
  await pause(Math.max(0, (lastUse.get(token) ?? 0) + IDLE_MS - performance.now()));
}
