import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { type Authorization, type History, parseQuery } from './history.ts';
import { type Breach, type JudgeRule, judgeEach } from './judgement.ts';

const CHALLENGE_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** A name of a scope contains neither a separator nor an encoded space. */
const SCOPES_PATTERN = /^[^\s,;|+%&]+(?: [^\s,;|+%&]+)*$/;
const NEEDS_LOGIN = 'The client has to send an authorization request.';
const NEEDS_TWO_LOGINS = 'The client has to send two authorization requests, and to exchange a code.';
const CONNECTIONS_SCOPE = 'experience-connections:manage';
const ASSIGNMENTS_SCOPE = 'experience-assignments:manage';

export const judgesForLoginRules = {
  'client.pkce.random-verifier'({ authorizations, tokenRequests }) {
    const verified = tokenRequests.filter(({ oauth }) => oauth?.verifier !== undefined);
    const malformed = verified.flatMap((call): Breach[] => {
      const { length = 0, unreserved, repetitive } = call.oauth?.verifier ?? {};
      const isInRange = length >= 43 && length <= 128;
      if (isInRange && unreserved && !repetitive) return [];
      const problem = !unreserved
        ? 'contains characters other than A-Z a-z 0-9 - . _ ~'
        : isInRange
          ? 'repeats one character eight times or more'
          : `has ${length} characters`;
      return [{ message: `The code_verifier ${problem}. It must have 43 to 128 random unreserved characters.`, calls: [call] }];
    });
    const reused = findReusedValues(authorizations, 'code_challenge', 'code_verifier');
    const exercised =
      hasSeveralValues(authorizations, 'code_challenge') && verified.length > 0 ? [...getCalls(authorizations), ...verified] : [];
    return { exercised, findings: [...malformed, ...reused], needs: NEEDS_TWO_LOGINS };
  },

  'client.pkce.s256'({ authorizations, tokenRequests }) {
    const requests = authorizations.flatMap(({ call, parameters, exchanges }): Breach[] => {
      const [challenge, method] = [parameters.get('code_challenge'), parameters.get('code_challenge_method')];
      const other = exchanges.find(({ oauth }) => oauth?.verifier !== undefined && oauth.verifier.challenge !== challenge);
      const problem = !challenge
        ? 'The authorization request has no code_challenge'
        : method !== 'S256'
          ? `The authorization request has ${method === null ? 'no code_challenge_method' : `code_challenge_method=${method}`}`
          : !CHALLENGE_PATTERN.test(challenge)
            ? 'The code_challenge is not the base64url of a SHA-256 hash'
            : other && 'The code_challenge is not the hash of the code_verifier that the client sent with the code';
      const advice = 'Send code_challenge = base64url(SHA-256(code_verifier)) and code_challenge_method=S256.';
      return problem ? [{ message: `${problem}. ${advice}`, calls: other ? [call, other] : [call] }] : [];
    });
    const exchanges = tokenRequests.filter(({ oauth }) => oauth?.code !== undefined);
    const message = 'The client exchanged a code without its code_verifier. Send the code_verifier with the code.';
    const without = exchanges.flatMap((call) => (call.oauth?.verifier === undefined ? [{ message, calls: [call] }] : []));
    const exercised = authorizations.flatMap((each) => (each.exchanges.length > 0 ? [each.call, ...each.exchanges] : []));
    return { exercised, findings: [...requests, ...without], needs: 'The client has to log in and to exchange the code.' };
  },

  'client.login-hint.e164': ({ authorizations }) =>
    judgeEach(getCalls(authorizations), NEEDS_LOGIN, ({ oauth }) => {
      if (oauth?.loginHint === 'E.164') return undefined;
      const problem = oauth?.loginHint === undefined ? 'has no login_hint' : 'has a login_hint that is not a phone number in E.164 format';
      return `The authorization request ${problem}. Send the user's phone number, such as +12065550100. In a query, encode the plus sign as %2B.`;
    }),

  'client.authorize.parameters': ({ authorizations }) =>
    judgeEach(getCalls(authorizations), NEEDS_LOGIN, (call) => {
      const query = parseQuery(call);
      const missing = ['client_id', 'redirect_uri', 'scope'].filter((name) => !query.get(name));
      if (missing.length > 0) return `The authorization request has no ${missing.join(' and no ')}.`;
      const type = query.get('response_type');
      if (type !== 'code')
        return `The authorization request has ${type ? `response_type=${type}` : 'no response_type'}. Send response_type=code.`;
      const scope = query.getAll('scope').join('&');
      return SCOPES_PATTERN.test(scope)
        ? undefined
        : `The scope of the authorization request, ${scope}, is not a list of scopes separated by single spaces. In a query, encode a space as %20 or as +.`;
    }),

  'client.state.sent': ({ authorizations }) =>
    judgeEach(getCalls(authorizations), NEEDS_LOGIN, (call) =>
      parseQuery(call).get('state')
        ? undefined
        : 'The authorization request has no state. Send a new random state, and store it until the callback.',
    ),

  'client.state.fresh'({ authorizations }) {
    const findings = findReusedValues(authorizations, 'state', 'random state');
    const exercised = hasSeveralValues(authorizations, 'state') ? getCalls(authorizations) : [];
    return { exercised, findings, needs: 'The client has to send two authorization requests.' };
  },

  'client.state.compared'({ calls, tokenRequests }) {
    const altered = calls.filter(({ oauth }) => oauth?.issued?.alteredState);
    const completed = tokenRequests.filter(({ oauth }) => oauth?.code !== undefined && oauth.issued !== undefined);
    const findings = altered.flatMap((call): Breach[] => {
      const exchange = tokenRequests.find(({ oauth }) => oauth?.code === call.oauth?.issued?.code);
      const message =
        'The kit sent the callback with an altered state, and the client exchanged the code. Before you exchange a code, compare the state with the stored state, and reject the callback if they differ.';
      return exchange ? [{ message, calls: [call, exchange], breaking: [exchange] }] : [];
    });
    const exercised = completed.length > 0 ? altered : [];
    if (altered.length === 0)
      return { exercised, findings, needs: 'The client has to get a callback with a wrong state.', provocation: 'state' };
    const needs = 'The client also has to complete a login. Otherwise it is unknown whether callbacks reach the client.';
    return { exercised, findings, needs };
  },

  'client.offline-access.with-scopes'({ authorizations }) {
    const relevant = getCalls(authorizations).filter((call) => getScopes(call).includes('offline_access'));
    return judgeEach(relevant, 'The client has to request offline_access.', (call) =>
      [CONNECTIONS_SCOPE, ASSIGNMENTS_SCOPE].some((scope) => getScopes(call).includes(scope))
        ? undefined
        : `The client requests offline_access without ${CONNECTIONS_SCOPE} and ${ASSIGNMENTS_SCOPE}. Request them together.`,
    );
  },

  'client.offline-access.requested'({ authorizations }) {
    const relevant = getCalls(authorizations).filter((call) =>
      [CONNECTIONS_SCOPE, ASSIGNMENTS_SCOPE].every((scope) => getScopes(call).includes(scope)),
    );
    return judgeEach(relevant, 'The client has to request the connection and assignment scopes.', (call) =>
      getScopes(call).includes('offline_access')
        ? undefined
        : 'The client requests the connection and assignment scopes without offline_access. To refresh access tokens, add offline_access.',
    );
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

const getScopes = (call: Call): readonly string[] => parseQuery(call).get('scope')?.split(' ') ?? [];

const hasSeveralValues = (authorizations: readonly Authorization[], name: string): boolean =>
  new Set(authorizations.map(({ parameters }) => parameters.get(name)).filter(Boolean)).size > 1;

const getCalls = (authorizations: History['authorizations']) => authorizations.map(({ call }) => call);

/** Ignores a URL that the browser loaded twice if the client exchanged at most one of the codes. */
function findReusedValues(authorizations: readonly Authorization[], name: string, generated: string): Breach[] {
  const message = `The client sent the same ${name} with several authorization requests. Generate a new ${generated} for each request.`;
  const groups = Map.groupBy(authorizations, ({ parameters }) => parameters.get(name) ?? '');
  groups.delete('');
  return [...groups.values()]
    .filter(
      (group) => new Set(group.map(({ call }) => call.path)).size > 1 || group.filter(({ exchanges }) => exchanges.length > 0).length > 1,
    )
    .map(getCalls)
    .map((calls) => ({ message, calls, breaking: calls.slice(1) }));
}
