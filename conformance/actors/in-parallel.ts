import type { OperationId } from '../../src/contract/generated/operations.ts';
import { createPacer } from '../target/pacer.ts';
import type { Client } from './api-client.ts';

/** Runs generators in parallel: waits for the next value of each generator, yields these values, and then continues all generators. */
export async function* runInParallel<C>(...generators: readonly AsyncGenerator<C>[]): AsyncGenerator<C> {
  for (let active = generators; active.length > 0; ) {
    // Wait for all generators even if one fails, so that all created entities can be cleaned up.
    const steps = await Promise.allSettled(active.map((generator) => generator.next()));
    const results = steps.map((step) => {
      if (step.status === 'rejected') throw step.reason;
      return step.value;
    });
    for (const result of results) if (!result.done) yield result.value;
    active = active.filter((_, index) => !results[index]?.done);
  }
}

const GROUP_SIZE = 8;
const SAMPLE_SIZE = 24;
/** The limit is 100 checks per second, and a token bucket may allow only one check every 10 ms. */
const paceChecks = createPacer(85, () => performance.now());

/**
 * Sends a call for each item of a table of values, several at once. If the rate of requests is limited, sends only calls for the first items
 * and for a sample of the others, which differs between the path forms.
 */
export async function sendForEach<Item>(
  { form, isPaced }: Client,
  operation: OperationId,
  items: readonly Item[],
  send: (item: Item) => Promise<unknown>,
): Promise<void> {
  const isCheck = operation === 'getExperienceAssignability';
  const step = isCheck || isPaced ? Math.ceil(items.length / SAMPLE_SIZE) : 1;
  const selected = items.filter((_, index) => index < GROUP_SIZE || (index + Number(form === 'flat')) % step === 0);
  const size = isCheck ? 1 : GROUP_SIZE;
  for (let at = 0; at < selected.length; at += size) {
    if (isCheck) await paceChecks();
    await Promise.all(selected.slice(at, at + size).map(send));
  }
}
