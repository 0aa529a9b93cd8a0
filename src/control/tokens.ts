import { isFailure } from '../contract/failure.ts';
import { lookUp } from '../world/references.ts';
import { DEFAULT_SCOPES } from '../world/world.ts';
import type { ControlHandlers } from './handler.ts';

export const tokenHandlers: Pick<ControlHandlers, 'mintToken'> = {
  async mintToken({ body: { client, principal, scopes = [...DEFAULT_SCOPES], expiresIn = 3600, kind = 'good' } }, { store, mintToken }) {
    const minted = await lookUp(store.db, 'clients', client, 'invalid');
    if (isFailure(minted)) return minted;
    const authorizedBy = principal === undefined ? undefined : await lookUp(store.db, 'principals', principal, 'invalid');
    if (authorizedBy && isFailure(authorizedBy)) return authorizedBy;
    const accessToken = mintToken({ clientId: minted.id, principalId: authorizedBy?.id, scopes, expiresIn, kind });
    return { status: 201, body: { accessToken, expiresIn, kind } };
  },
};
