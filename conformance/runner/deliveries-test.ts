import { createDeliveries, type Deliveries } from '../actors/deliveries.ts';
import { test as eventsTest } from './events-test.ts';
import { SILENT } from './test.ts';

/** Playwright's test, for checks of how events are delivered. */
export const test = eventsTest.extend<{ deliveries: Deliveries }>({
  deliveries: [async ({ need, has, assignments }, use) => use(createDeliveries(need, has, assignments)), SILENT],
});
