/**
 * Runs one step of each row at the same time, and yields the results. Runs the next steps only after the check has handled all results, so
 * that no two steps change the same entity at the same time.
 */
export async function* runInParallel<C>(...rows: readonly AsyncGenerator<C>[]): AsyncGenerator<C> {
  for (let active = rows; active.length > 0; ) {
    // Waits for all rows even if one row fails, so that the entities that the other rows are creating can be cleaned up.
    const steps = await Promise.allSettled(active.map((row) => row.next()));
    const results = steps.map((step) => {
      if (step.status === 'rejected') throw step.reason;
      return step.value;
    });
    for (const result of results) if (!result.done) yield result.value;
    active = active.filter((_, index) => !results[index]?.done);
  }
}
