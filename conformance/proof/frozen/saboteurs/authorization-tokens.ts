import { operations } from '../../../../src/contract/generated/operations.ts';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, withHeaders, withMembers } from '../exchange.ts';
import { type Behind, insteadOf, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { atExchange, claimsOf } from './authorization-requests.ts';

const PRINCIPAL_CLAIM = 'urn:example:claims:principal_id';

/** A server whose token responses are otherwise. */
const responding = (does: string, change: (reply: Reply, behind: Behind) => Reply | Promise<Reply>): Saboteur =>
  atExchange(does, async (request, service, behind) => {
    const reply = await service(request);
    return isSuccess(reply) ? change(reply, behind) : reply;
  });

const saying = (does: string, members: Json): Saboteur => responding(does, (reply) => withMembers(reply, members));

type Minted = Parameters<Behind['control']['token']>[0];
type Change = { readonly [M in keyof Minted]?: Minted[M] | undefined };

/** A server that gives other tokens than it says. @param change gives undefined where it gives the right one. */
const minting = (does: string, change: (minted: Minted, reply: Reply) => Change | undefined): Saboteur =>
  responding(does, async (reply, { control }) => {
    const { client_id: client, scope, [PRINCIPAL_CLAIM]: principal } = claimsOf(String(bodyOf(reply).access_token));
    const minted: Minted = {
      client,
      principal,
      scopes: String(scope).split(' '),
      kind: 'good',
      expiresIn: Number(bodyOf(reply).expires_in),
    };
    const changes = change(minted, reply);
    return changes === undefined ? reply : withMembers(reply, { access_token: await control.token(defined({ ...minted, ...changes })) });
  });

function defined(minted: Change): Minted {
  return Object.fromEntries(Object.entries(minted).filter(([, value]) => value !== undefined)) as Minted;
}

const SCOPES = [...new Set(Object.values(operations).map(({ scope }) => scope))];
const secondsOf = (reply: Reply): number => Number(bodyOf(reply).expires_in);

/** A server that adds scopes to every token. */
const adding = (does: string, scopes: readonly string[]): Saboteur =>
  minting(does, ({ scopes: given = [] }) => ({ scopes: [...new Set([...given, ...scopes])] }));

/** Servers that break one rule each. */
export const authorizationTokens = {
  'oauth.token.expires-in': [
    saying('Does not say how long a token is valid.', { expires_in: undefined }),
    saying('Says expires_in as a text.', { expires_in: '3600' }),
    saying('Says 0 where a token does not expire soon.', { expires_in: 0 }),
    saying('Says -1.', { expires_in: -1 }),
    saying('Says null.', { expires_in: null }),
    saying('Says when, and not how long.', { expires_in: '2030-01-01T00:00:00Z' }),
  ],
  'oauth.token.works': [
    responding('Signs tokens with a key that the API does not know.', (reply) => {
      const token = String(bodyOf(reply).access_token);
      return withMembers(reply, { access_token: `${token.slice(0, -8)}AAAAAAAA` });
    }),
    ...SCOPES.map((scope) =>
      minting(`Forgets the scope ${scope}.`, ({ scopes = [] }) =>
        scopes.includes(scope)
          ? { scopes: scopes.length === 1 ? SCOPES.filter((other) => other !== scope) : scopes.filter((other) => other !== scope) }
          : undefined,
      ),
    ),
  ],
  'oauth.token.valid-to-its-end': [
    minting('Lets tokens end halfway.', (_, reply) => ({ expiresIn: Math.ceil(secondsOf(reply) / 2) })),
    minting('Lets tokens live twice as long.', (_, reply) => ({ expiresIn: secondsOf(reply) * 2 })),
    insteadOf('Answers 403 to a token that has ended.', 'any', async (request, { control }) => {
      const { exp, jti } = claimsOf(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]);
      if (!String(jti).startsWith('grant:')) return undefined;
      return Number(exp) * 1000 <= (await control.now()) ? problem(403) : undefined;
    }),
  ],
  'oauth.token.only-granted-scopes': [
    adding('Gives all scopes whatever is asked for.', SCOPES),
    ...SCOPES.map((scope) => adding(`Gives the scope ${scope} in any case.`, [scope])),
  ],
  'oauth.token.principal': [minting('Forgets whom a token acts for.', () => ({ principal: undefined }))],
  'oauth.token.type': [
    saying('Says the type MAC.', { token_type: 'MAC' }),
    saying('Does not say the type.', { token_type: undefined }),
    responding('Calls the access token token.', (reply) =>
      withMembers(reply, { access_token: undefined, token: bodyOf(reply).access_token }),
    ),
    responding('Calls its JSON text.', (reply) => withHeaders(reply, { 'content-type': 'text/plain' })),
    responding('Answers in the form encoding.', (reply) => ({
      ...withHeaders(reply, { 'content-type': 'application/x-www-form-urlencoded' }),
      text: new URLSearchParams(bodyOf(reply)).toString(),
    })),
    saying('Says the scopes as a list.', { scope: SCOPES }),
  ],
  'oauth.token.no-store': [
    responding('Says nothing of storing.', (reply) => withHeaders(reply, { 'cache-control': undefined })),
    responding('Says no-cache only.', (reply) => withHeaders(reply, { 'cache-control': 'no-cache' })),
    responding('Lets its answers be stored for an hour.', (reply) => withHeaders(reply, { 'cache-control': 'private, max-age=3600' })),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['authorization']>>;
