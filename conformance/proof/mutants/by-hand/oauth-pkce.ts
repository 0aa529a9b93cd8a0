import { createHash } from 'node:crypto';
import type { Request } from '../exchange.ts';
import type { ByHand, Start } from '../mutant.ts';
import { formOf, isAuthorize, isExchange, redirectOf, withForm, withQuery } from './oauth-requests.ts';

type Challenge = Readonly<Request['query']>;
type Accepts = (verifier: string | undefined, challenge: Challenge) => boolean;

const OWN_VERIFIER = 'a-verifier-of-the-mutant-that-the-service-knows-of';
const sha256 = (text: string) => createHash('sha256').update(text);
const s256 = (verifier: string): string => sha256(verifier).digest('base64url');
const base64 = (verifier: string): string => sha256(verifier).digest('base64').replace(/=+$/, '');

const matches: Accepts = (verifier, { code_challenge, code_challenge_method }) =>
  verifier !== undefined && code_challenge_method === 'S256' && s256(verifier) === code_challenge;
const isRight: Accepts = (verifier, challenge) => /^[A-Za-z0-9._~-]{43,128}$/.test(verifier ?? '') && matches(verifier, challenge);
const rightOr =
  (accepts: Accepts): Accepts =>
  (verifier, challenge) =>
    isRight(verifier, challenge) || accepts(verifier, challenge);
const rightUnless =
  (refused: RegExp): Accepts =>
  (verifier, challenge) =>
    isRight(verifier, challenge) && !refused.test(verifier ?? '');

/**
 * Verifies code verifiers instead of the kit, which gets a challenge and a verifier of the mutant's own.
 * @param admits authorization requests that the kit would refuse.
 */
function verify(accepts: Accepts, admits: (challenge: Challenge) => boolean = () => false): Start {
  return () => {
    const challenges = new Map<string | undefined, Challenge>();
    return {
      requests: async (request, service) => {
        if (isAuthorize(request)) {
          const { query } = request;
          const isGood = query.code_challenge !== undefined && query.code_challenge_method === 'S256';
          if (!isGood && !admits(query)) return service(request);
          const reply = await service(withQuery(request, { code_challenge: s256(OWN_VERIFIER), code_challenge_method: 'S256' }));
          const { code } = redirectOf(reply);
          if (code !== undefined) challenges.set(code, query);
          return reply;
        }
        const challenge = isExchange(request) ? challenges.get(formOf(request).code) : undefined;
        if (challenge === undefined) return service(request);
        const verifier = formOf(request).code_verifier;
        return service(withForm(request, { code_verifier: accepts(verifier, challenge) ? OWN_VERIFIER : verifier }));
      },
    };
  };
}

const hasNoChallenge = ({ code_challenge }: Challenge): boolean => code_challenge === undefined;
const isPlain = ({ code_challenge_method }: Challenge): boolean => code_challenge_method === 'plain';

export const oauthPkce = {
  'oauth.pkce.required': {
    'Needs no challenge.': verify(
      rightOr((_, challenge) => hasNoChallenge(challenge)),
      hasNoChallenge,
    ),
    'Needs no challenge if there is no verifier.': verify(
      rightOr((verifier, challenge) => hasNoChallenge(challenge) && verifier === undefined),
      hasNoChallenge,
    ),
  },
  'oauth.pkce.s256': {
    'Compares base64.': verify((verifier, { code_challenge }) => base64(verifier ?? '') === code_challenge),
    'Compares hexadecimal.': verify((verifier, { code_challenge }) => sha256(verifier ?? '').digest('hex') === code_challenge),
    'Refuses verifiers with punctuation.': verify(rightUnless(/[._~]/)),
    'Compares the verifier itself.': verify((verifier, { code_challenge }) => verifier === code_challenge),
  },
  'oauth.pkce.plain': {
    'Accepts plain.': verify(
      rightOr((verifier, challenge) => isPlain(challenge) && verifier === challenge.code_challenge),
      isPlain,
    ),
  },
  'oauth.pkce.verifier-length': {
    'Accepts any length.': verify(matches),
    'Accepts 42 characters.': verify(rightOr((verifier, challenge) => verifier?.length === 42 && matches(verifier, challenge))),
    'Accepts more than 128 characters.': verify(
      rightOr((verifier, challenge) => (verifier?.length ?? 0) > 128 && matches(verifier, challenge)),
    ),
  },
  'oauth.pkce.verifier-alphabet': {
    'Accepts any characters.': verify((verifier, challenge) => (verifier?.length ?? 0) >= 43 && matches(verifier, challenge)),
    'Accepts base64.': verify(
      rightOr((verifier, challenge) => /^[\w+/=~.-]{43,128}$/.test(verifier ?? '') && matches(verifier, challenge)),
    ),
  },
  'oauth.pkce.verifier-lengths-accepted': {
    'Refuses 43 characters.': verify(rightUnless(/^.{43}$/)),
    'Refuses 128 characters.': verify(rightUnless(/^.{128}$/)),
  },
  'oauth.pkce.verifier-missing': { 'Verifies a verifier only if there is one.': verify(rightOr((verifier) => verifier === undefined)) },
  'oauth.pkce.verifier-wrong': {
    'Accepts every verifier.': verify((verifier) => verifier !== undefined),
    'Accepts the challenge as its verifier.': verify(rightOr((verifier, { code_challenge }) => verifier === code_challenge)),
  },
} satisfies ByHand;
