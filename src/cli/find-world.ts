import { didYouMean } from '../contract/did-you-mean.ts';
import { getKitOfWorld } from '../contract/world-url.ts';
import { createCliClient } from './control-client.ts';
import { UsageError } from './usage-error.ts';

/** Returns the base URL of a world of a running kit. @throws UsageError if the kit has no world with this name */
export async function findWorld(url: string, name: string, controlToken: string | undefined): Promise<string> {
  const kitUrl = getKitOfWorld(url);
  const worlds = (await createCliClient(kitUrl, controlToken).GET('/_control/worlds')).data;
  const found = worlds.find((each) => each.name === name);
  if (found !== undefined) return `${kitUrl}${found.path}`;
  const names = worlds.map((each) => each.name);
  throw new UsageError(`${kitUrl} has no world "${name}".${didYouMean(name, names) || ` Create it with: xpk world create ${name}`}`);
}
