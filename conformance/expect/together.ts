/**
 * Several rows of changes side by side, the next ones of all at the same time: a row makes its next change once the check has done with all that were
 * made beside its last one. So time goes by for the longest row only, and of one connection or assignment there is never more than one change at once.
 */
export async function* together<Made>(...rows: readonly AsyncGenerator<Made>[]): AsyncGenerator<Made> {
  for (let going = rows; going.length > 0; ) {
    // Also where one fails: what the others are about to make would be left behind.
    const steps = await Promise.allSettled(going.map((row) => row.next()));
    const made = steps.map((step) => (step.status === 'fulfilled' ? step.value : fail(step.reason)));
    for (const step of made) if (!step.done) yield step.value;
    going = going.filter((_, index) => !made[index]?.done);
  }
}

function fail(reason: unknown): never {
  throw reason;
}
