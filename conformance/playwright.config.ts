import { defineConfig } from '@playwright/test';
import { isReported } from './support/run-settings.ts';
import type { Options } from './support/test.ts';

// Each form of the paths is a project. Checks are started by `xpk conformance`, which says in the environment what the target is.
export default defineConfig<Options>({
  testDir: 'rules',
  fullyParallel: true,
  // Two of them begin with what waits for as long as an endpoint may take, and leave the machine to the others.
  workers: 4,
  forbidOnly: true,
  timeout: 30_000,
  projects: [
    { name: 'prefixed', use: { form: 'prefixed' } },
    // The users operations have one path (Endpoints › Path forms), and neither the authorization server nor events have forms: their checks run once. The reporter of xpk sees to that itself, rule by rule.
    {
      name: 'flat',
      use: { form: 'flat' },
      testIgnore: isReported(process.env)
        ? []
        : ['users-*.spec.*', 'current-users.spec.*', 'oauth-*.spec.*', 'events-*.spec.*', 'answers-*.spec.*'],
    },
  ],
});
