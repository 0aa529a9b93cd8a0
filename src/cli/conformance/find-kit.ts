import { type FoundControl, findControl } from '../../../conformance/target/control.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Returns the server that handles the requests to a server: the server itself or, if it is a proxy, the one to which the proxy forwards.
 * A proxy has the control API of a kit, but its world is empty.
 */
export async function findKit(url: string, controlToken: string | undefined): Promise<FoundControl & { readonly url: string }> {
  const found = await findControl(url, controlToken);
  if (found.upstream === undefined) return { ...found, url };
  const [api, auth] = [found.upstream.api, found.upstream.auth].map((each) => each?.replace(/\/+$/, ''));
  const kit = await findKit(api!, controlToken);
  if (kit.state === 'found' && auth !== `${api}/auth`)
    throw new UsageError(
      `The suite also tests the authorization server of the kit at ${api}, and the proxy at ${url} does not forward to it. Start the proxy with --auth-to ${api}/auth.`,
    );
  return kit;
}
