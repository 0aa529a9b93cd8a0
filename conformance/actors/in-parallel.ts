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
