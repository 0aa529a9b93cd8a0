import type { PlatformUsers } from '../target/capabilities.ts';
import { test as base, SILENT } from './test.ts';

/** Playwright's test, for checks of users. */
export const test = base.extend<{ platform: PlatformUsers }>({
  /** Changes of users on the platform; who is made is removed after the check. */
  platform: [
    async ({ need }, use) => {
      const made = new Set<string>();
      await use({
        async create(accountId, names) {
          await need('write');
          const id = await (await need('platform.users')).create(accountId, names);
          made.add(id);
          return id;
        },
        rename: async (userId, firstName) => (await need('platform.users')).rename(userId, firstName),
        async remove(userId) {
          await (await need('platform.users')).remove(userId);
          made.delete(userId);
        },
      });
      for (const userId of made)
        await (await need('platform.users'))
          .remove(userId)
          .catch((error: Error) => console.error(`left behind: user ${userId} (${error.message})`));
    },
    SILENT,
  ],
});
