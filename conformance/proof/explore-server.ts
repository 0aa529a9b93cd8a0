import type { Decisions } from '../../src/contract/generated/decisions.ts';
import { type Exploration, type ExploreOptions, explore } from '../../src/oracle/explore.ts';
import { PATH_FORMS } from '../../src/report/scope.ts';
import { createClient } from '../actors/api-client.ts';
import { createReceivers } from '../actors/receiver.ts';
import { openPair } from '../runner/twin.ts';
import type { TargetSettings } from '../target/target-settings.ts';
import { openTarget } from '../target/worker-target.ts';

/** Compares a server with a twin, without the suite. @param decisions what is known of the server's decisions */
export async function exploreServer(
  settings: TargetSettings,
  decisions: Partial<Decisions>,
  options: ExploreOptions,
): Promise<Exploration> {
  const { arrangement, cleanup } = await openTarget(settings, 'explorer');
  const api = createClient({ ...settings, form: 'prefixed', recordExchange: () => {} });
  const receivers = createReceivers(settings.receiver);
  const common = { arrangement, api, receivers, cleanup, destinationFor: (url: string) => url };
  const { pair, close } = await openPair({ ...common, forms: PATH_FORMS, baseUrl: settings.baseUrl, decisions });
  try {
    return await explore(pair, options);
  } finally {
    await cleanup.run();
    await close();
    await receivers.close();
  }
}
