import { must } from '../expect/broken.ts';
import { noToken } from '../expect/oauth-judge.ts';
import { refusal } from '../expect/verify.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

// Moving the target's time moves it for every check.
test.describe.configure({ lock: '-exclusive-' });

/** Ten minutes, and a second. */
const TOO_LATE_MS = 601_000;

test(
  'An access token is valid for expires_in seconds, and gets 401 after them.',
  rule('oauth.token.valid-to-its-end'),
  async ({ oauth, calls, api, need }) => {
    const advance = await need('clock.advance');
    const good = await calls.of('getExperienceConnections');
    const { answer, accessToken } = await (await oauth.flow()).tokens();
    const { expires_in: seconds } = answer.json as { expires_in?: unknown };
    if (typeof seconds !== 'number' || seconds <= 0) notTestable('an expires_in');
    const use = () => api.call('getExperienceConnections', { ...good, token: accessToken });
    // What the check itself takes has to fit in between.
    const before = Math.min(10, seconds / 2);
    await advance((seconds - before) * 1000);
    const late = await use();
    must(late.status !== 401, `the token is accepted ${before} seconds before its end`, late);
    await advance((before + 1) * 1000);
    refusal(await use(), 401);
  },
);

test(
  'A code is short-lived: ten minutes after it was issued, the most that RFC 6749 recommends, it is no longer exchanged.',
  rule('oauth.code.short-lived'),
  async ({ oauth, need }) => {
    const advance = await need('clock.advance');
    const flow = await oauth.proven();
    const granted = await flow.code();
    await advance(TOO_LATE_MS);
    noToken(await flow.exchange(granted));
  },
);
