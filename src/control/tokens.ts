import type { components } from '../contract/generated/control.ts';
import { findEntity } from '../world/dump.ts';
import { DEFAULT_SCOPES } from '../world/world.ts';
import { type ControlHandlers, cannot } from './handler.ts';

type TokenRequest = components['schemas']['TokenRequest'];

/** POST /_control/tokens: an access token of any kind, for a client and principal named by alias or id. */
export const tokens: Pick<ControlHandlers, 'mintToken'> = {
  async mintToken({ body }, deps) {
    const { client, principal, scopes = [...DEFAULT_SCOPES], expiresIn = 3600, kind = 'good' } = body as TokenRequest;
    const clientId = (await findEntity(deps.store.db, 'clients', client))?.id;
    if (!clientId)
      return cannot(
        'invalid',
        `There is no client ${JSON.stringify(client)}. List them with xpk state get clients or GET /_control/state/clients.`,
      );
    const known = principal === undefined ? undefined : await findEntity(deps.store.db, 'principals', principal);
    if (principal !== undefined && !known) {
      return cannot(
        'invalid',
        `There is no principal ${JSON.stringify(principal)}. List them with xpk state get principals or GET /_control/state/principals.`,
      );
    }
    const accessToken = deps.mint({ clientId, principalId: known?.id, scopes, expiresIn, kind });
    return { status: 201, body: { accessToken, expiresIn, kind } };
  },
};
