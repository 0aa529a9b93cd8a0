import { defineConfig } from '@playwright/test';
import { isReported } from './runner/run-settings.ts';
import type { Options } from './runner/test.ts';

// Each form of the paths is a project. Checks are started by `xpk conformance`, which says in the environment what the target is.
export default defineConfig<Options>({
  testDir: 'rules',
  fullyParallel: true,
  // Two of them begin with what waits for as long as an endpoint may take, one has the flat form, and the others share the rest.
  workers: 5,
  forbidOnly: true,
  timeout: 30_000,
  projects: [
    // The users operations have one path (Endpoints › Path forms), and neither the authorization server nor events have forms: their checks run once. The reporter of xpk sees to that itself, rule by rule.
    {
      name: 'flat',
      use: { form: 'flat' },
      // A worker has one project. First, and in one of its own, it goes on beside the prefixed form; where all changed over to it, each would start anew.
      workers: 1,
      testIgnore: isReported(process.env)
        ? []
        : ['users-*.spec.*', 'current-users.spec.*', 'oauth-*.spec.*', 'events-*.spec.*', 'answers-*.spec.*'],
    },
    { name: 'prefixed', use: { form: 'prefixed' } },
  ],
});
