import { type ControlClient, createControlClient } from '../control-client/client.ts';
import { withNotice } from './notice.ts';

export { type ControlClient, getResponseData, RefusedError } from '../control-client/client.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4010';

/**
 * Its error messages name the command-line options.
 * @throws UsageError if the URL or the control token is malformed
 */
export function createCliClient(url: string, controlToken?: string, undoable = false): ControlClient {
  return createControlClient(url, {
    controlToken,
    undoable,
    async fetch(...request) {
      const response = await withNotice(`Waiting for ${url}.`, fetch(...request));
      const target = response.headers.get('xpk-proxy-of');
      if (response.ok && target !== null)
        console.error(
          `xpk: ${url} is a proxy in front of ${target}. This shows the proxy's own world, which is empty. The command is for a kit.`,
        );
      return response;
    },
    wording: {
      url: '--url',
      noResponse: 'Start a server with: xpk start. If it runs elsewhere, give its address with --url or XPK_URL.',
      notXpk: 'Give the address of a kit (xpk start), or of a proxy in front of a real service (xpk proxy --to URL).',
      emptyName: 'Check that all shell variables in the command are set.',
      controlToken: 'See --control-token and XPK_CONTROL_TOKEN.',
    },
  });
}
