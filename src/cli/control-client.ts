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
    fetch: (...request) => withNotice(`Waiting for ${url}.`, fetch(...request)),
    wording: {
      url: '--url',
      noResponse: 'Start a server with: xpk start. If it runs elsewhere, give its address with --url or XPK_URL.',
      notXpk: 'Give the address of a kit (xpk start), or of a proxy in front of a real service (xpk proxy --to URL).',
      emptyName: 'Check that all shell variables in the command are set.',
      controlToken: 'See --control-token and XPK_CONTROL_TOKEN.',
    },
  });
}
