import { accessTokenOf } from '../actors/oauth-flow.ts';
import { observed, questionOf } from '../expect/observed.ts';
import { test } from '../runner/oauth-test.ts';

// Moving the target's time moves it for every check.
test.describe.configure({ lock: '-exclusive-' });

const LONGEST_S = 600;

test(questionOf('oauth.code-lifetime'), async ({ oauth, need }) => {
  const advance = await need('clock.advance');
  const flow = await oauth.proven();
  const livesFor = async (seconds: number): Promise<boolean> => {
    const granted = await flow.code();
    await advance(seconds * 1000);
    return accessTokenOf(await flow.exchange(granted)) !== undefined;
  };
  // The fewest seconds after which it is dead, by halves: what the requests take is far less than one.
  let [alive, dead] = [0, LONGEST_S];
  if (await livesFor(LONGEST_S)) return;
  while (dead - alive > 1) {
    const middle = Math.floor((alive + dead) / 2);
    if (await livesFor(middle)) alive = middle;
    else dead = middle;
  }
  observed('oauth.code-lifetime', dead);
});
