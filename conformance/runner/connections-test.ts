import { type Connections, createConnections } from '../actors/make-connection.ts';
import { test as base, SILENT } from './test.ts';

/** Playwright's test, for checks of connections. */
export const test = base.extend<{ connections: Connections }>({
  connections: [
    async ({ api, need, ledger }, use, testInfo) => {
      const notTestable = (missing: string): never => {
        testInfo.skip(true, `not-testable: ${missing}`);
        throw new Error(missing);
      };
      await use(createConnections(api, need, ledger, notTestable));
    },
    SILENT,
  ],
});
