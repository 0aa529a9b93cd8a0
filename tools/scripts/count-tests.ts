import type { TestEvent } from 'node:test/reporters';

/** A test reporter that prints the number of passed test cases. */
export default async function* countTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let count = 0;
  for await (const { type, data } of events) {
    // tools/scripts/run-tests.ts adds a test for each file.
    if (type === 'test:pass' && data.details.type !== 'suite' && !data.skip && !data.name.endsWith('.test.ts')) count += 1;
  }
  yield String(count);
}
