import { setTimeout as pause } from 'node:timers/promises';
import { type Burst, burst } from './burst.ts';
import type { Call, Client } from './client.ts';
import type { Answer } from './exchange.ts';
import { createPacer } from './pacer.ts';

export const OPERATION = 'getExperienceAssignability';
/** Checks in a second of one credential (Limits). */
export const LIMIT = 100;
/** After this any window is empty and any bucket is full. */
const IDLE_MS = 1100;
/** So many for so long that a limit of 150, however a second is measured, lets more pass than any window lets pass of 100. */
const PER_SECOND = 400;
const SECONDS = 2.4;
/** After how many checks one of the other credential is sent. */
const INTERVAL = 50;

export type Check = Call & { readonly token: string };

/** More checks of one credential than are allowed, for some seconds. */
export interface RateLoad {
  /** As many as are allowed in a second, at once, of a credential that was not used before. */
  readonly first: readonly Answer[];
  /** All of the credential, these first ones among them. */
  readonly all: Burst;
  /** Checks of another credential, each between two of the first credential. */
  readonly meanwhile: readonly { readonly before: Answer; readonly other: Answer; readonly after: Answer }[];
}

/** @param forms under which the checks after the first are sent in turn. @param other a check of another credential. */
export async function rateLoad(api: Client, good: Check, forms: readonly Client['form'][], other?: Check): Promise<RateLoad> {
  const answers: Answer[] = [];
  const check = async (form = api.form): Promise<Answer> => {
    const answer = await api.once(OPERATION, { ...good, form });
    answers.push(answer);
    return answer;
  };
  await idle(good);
  const startedAt = performance.now();
  const { answers: first } = await burst(LIMIT, () => check());
  const pace = createPacer(PER_SECOND, () => performance.now());
  const meanwhile: RateLoad['meanwhile'][number][] = [];
  await burst(PER_SECOND * SECONDS, async (index) => {
    await pace();
    const form = forms[index % forms.length];
    const before = await check(form);
    // This worker has done nothing else for so long: whatever the other credential was used for is forgotten.
    if (other !== undefined && index % INTERVAL === 0 && performance.now() - startedAt > IDLE_MS)
      meanwhile.push({ before, other: await api.once(OPERATION, other), after: await check(form) });
    return before;
  });
  used(good);
  return { first, all: { answers, durationMs: performance.now() - startedAt }, meanwhile };
}

/** When credentials were last used here, in milliseconds since this worker began. What was before that was before its first moment. */
const lastUse = new Map<string, number>();

/** Tells that the credential was used until now. */
export function used({ token }: Check): void {
  lastUse.set(token, performance.now());
}

/** Waits until the credential was not used for so long that nothing is counted of it any more. */
async function idle({ token }: Check): Promise<void> {
  await pause(Math.max(0, (lastUse.get(token) ?? 0) + IDLE_MS - performance.now()));
}
