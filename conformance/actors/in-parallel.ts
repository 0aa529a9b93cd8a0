/**
 * Advances several rows of changes at the same time, and yields the changes of each step. A row makes its next change only after the check has handled
 * the step, so one entity never has more than one change at a time.
 */
export async function* inParallel<C>(...rows: readonly AsyncGenerator<C>[]): AsyncGenerator<C> {
  for (let active = rows; active.length > 0; ) {
    // Waits for all rows even if one fails: whatever the others are creating would be left behind.
    const steps = await Promise.allSettled(active.map((row) => row.next()));
    const results = steps.map((step) => {
      if (step.status === 'rejected') throw step.reason;
      return step.value;
    });
    for (const result of results) if (!result.done) yield result.value;
    active = active.filter((_, index) => !results[index]?.done);
  }
}
