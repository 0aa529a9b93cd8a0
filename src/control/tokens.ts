import { findEntity } from '../world/dump.ts';
import { DEFAULT_SCOPES, SINGULAR } from '../world/world.ts';
import { type ControlHandlers, cannot } from './handler.ts';

/** Access tokens, good ones or broken on purpose. */
export const tokens: Pick<ControlHandlers, 'mintToken'> = {
  async mintToken({ body: { client, principal, scopes = [...DEFAULT_SCOPES], expiresIn = 3600, kind = 'good' } }, { store, mint }) {
    const clientId = (await findEntity(store.db, 'clients', client))?.id;
    if (clientId === undefined) return unknown('clients', client);
    const principalId = principal === undefined ? undefined : (await findEntity(store.db, 'principals', principal))?.id;
    if (principal !== undefined && principalId === undefined) return unknown('principals', principal);
    const accessToken = mint({ clientId, principalId, scopes, expiresIn, kind });
    return { status: 201, body: { accessToken, expiresIn, kind } };
  },
};

function unknown(collection: 'clients' | 'principals', name: string) {
  const list = `List them with xpk state get ${collection} or GET /_control/state/${collection}.`;
  return cannot('invalid', `There is no ${SINGULAR[collection]} "${name}". ${list}`);
}
