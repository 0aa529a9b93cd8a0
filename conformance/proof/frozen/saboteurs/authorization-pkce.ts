import { createHash } from 'node:crypto';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { Request } from '../exchange.ts';
import { remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { asked, carriedBy, exchanging, formOf, isAuthorize, isExchange } from './authorization-requests.ts';

const sha256 = (text: string) => createHash('sha256').update(text);
const s256 = (verifier: string): string => sha256(verifier).digest('base64url');
const isFit = (verifier: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
const OWN_VERIFIER = 'a-verifier-of-the-saboteur-that-the-service-knows';

/** What a code was asked for with. */
type Challenge = Readonly<Request['query']>;
type Judge = (verifier: string | undefined, challenge: Challenge) => boolean;

const matches: Judge = (verifier, { code_challenge: challenge, code_challenge_method: method }) =>
  verifier !== undefined && method === 'S256' && s256(verifier) === challenge;
const isRight: Judge = (verifier, challenge) => verifier !== undefined && isFit(verifier) && matches(verifier, challenge);

/**
 * A server that judges verifiers by itself: the service is shown one that it knows, or none that fits.
 * @param accepts what is accepted at the exchange. @param lets which authorization requests it lets through that the service would refuse.
 */
function judgingVerifiers(does: string, accepts: Judge, lets: (challenge: Challenge) => boolean = () => false): Saboteur {
  return remembering(does, () => {
    const challenges = new Map<string, Challenge>();
    return async (request, service) => {
      if (isAuthorize(request)) {
        const { query } = request;
        const isGood = query.code_challenge !== undefined && query.code_challenge_method === 'S256';
        if (!isGood && !lets(query)) return service(request);
        const reply = await service(asked(request, { code_challenge: s256(OWN_VERIFIER), code_challenge_method: 'S256' }));
        const { code } = carriedBy(reply);
        if (code !== undefined) challenges.set(code, query);
        return reply;
      }
      if (!isExchange(request)) return service(request);
      const { code = '', code_verifier: verifier } = formOf(request);
      const challenge = challenges.get(code);
      if (challenge === undefined) return service(request);
      return service(exchanging(request, { code_verifier: accepts(verifier, challenge) ? OWN_VERIFIER : verifier }));
    };
  });
}

const base64 = (verifier: string): string => sha256(verifier).digest('base64').replace(/=+$/, '');
const withoutChallenge = ({ code_challenge: challenge }: Challenge): boolean => challenge === undefined;
const isPlain = ({ code_challenge_method: method }: Challenge): boolean => method === 'plain';
const rightUnless =
  (refused: (verifier: string) => boolean): Judge =>
  (verifier, challenge) =>
    isRight(verifier, challenge) && !refused(verifier ?? '');

/** Servers that break one rule each. */
export const authorizationPkce = {
  'oauth.pkce.required': [
    judgingVerifiers(
      'Does without PKCE where no challenge is sent.',
      (verifier, challenge) => withoutChallenge(challenge) || isRight(verifier, challenge),
      withoutChallenge,
    ),
    judgingVerifiers(
      'Wants no challenge where neither challenge nor verifier is sent.',
      (verifier, challenge) => (withoutChallenge(challenge) ? verifier === undefined : isRight(verifier, challenge)),
      withoutChallenge,
    ),
  ],
  'oauth.pkce.s256': [
    judgingVerifiers('Compares base64, not base64url.', (verifier, { code_challenge: challenge }) => base64(verifier ?? '') === challenge),
    judgingVerifiers(
      'Compares the hash in hexadecimal.',
      (verifier, { code_challenge: challenge }) => sha256(verifier ?? '').digest('hex') === challenge,
    ),
    judgingVerifiers(
      'Takes verifiers of letters and digits only.',
      rightUnless((verifier) => /[._~]/.test(verifier)),
    ),
    judgingVerifiers(
      'Compares the verifier with the challenge, as plain does.',
      (verifier, { code_challenge: challenge }) => verifier === challenge,
    ),
  ],
  'oauth.pkce.plain': [
    judgingVerifiers(
      'Accepts the method plain.',
      (verifier, challenge) => (isPlain(challenge) ? verifier === challenge.code_challenge : isRight(verifier, challenge)),
      isPlain,
    ),
  ],
  'oauth.pkce.verifier-length': [
    judgingVerifiers('Accepts verifiers of any length.', (verifier, challenge) => matches(verifier, challenge)),
    judgingVerifiers(
      'Accepts verifiers of 42 characters.',
      (verifier, challenge) => isRight(verifier, challenge) || (verifier?.length === 42 && matches(verifier, challenge)),
    ),
    judgingVerifiers(
      'Accepts verifiers that are too long.',
      (verifier, challenge) => isRight(verifier, challenge) || ((verifier?.length ?? 0) > 128 && matches(verifier, challenge)),
    ),
  ],
  'oauth.pkce.verifier-alphabet': [
    judgingVerifiers(
      'Accepts verifiers of any characters.',
      (verifier, challenge) => (verifier?.length ?? 0) >= 43 && matches(verifier, challenge),
    ),
    judgingVerifiers(
      'Accepts verifiers in base64, too.',
      (verifier, challenge) =>
        isRight(verifier, challenge) || (/^[\w+/=~.-]{43,128}$/.test(verifier ?? '') && matches(verifier, challenge)),
    ),
  ],
  'oauth.pkce.verifier-lengths-accepted': [
    judgingVerifiers(
      'Wants more than 43 characters.',
      rightUnless(({ length }) => length === 43),
    ),
    judgingVerifiers(
      'Wants fewer than 128 characters.',
      rightUnless(({ length }) => length === 128),
    ),
  ],
  'oauth.pkce.verifier-missing': [
    judgingVerifiers(
      'Looks at the verifier only where there is one.',
      (verifier, challenge) => verifier === undefined || isRight(verifier, challenge),
    ),
  ],
  'oauth.pkce.verifier-wrong': [
    judgingVerifiers('Does not compare the verifier.', (verifier) => verifier !== undefined),
    judgingVerifiers(
      'Takes the challenge for a verifier, too, as plain does.',
      (verifier, challenge) => isRight(verifier, challenge) || verifier === challenge.code_challenge,
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['authorization']>>;
