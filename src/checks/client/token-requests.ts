import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { isSuccess } from './history.ts';
import { type JudgeRule, judgeEach } from './judgement.ts';

const FORM_PATTERN = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const REDACTED = '[redacted]';

export const judgesForTokenRequestRules = {
  'client.token-request.form': ({ tokenRequests }) =>
    judgeEach(tokenRequests, 'The client has to send a token request.', (call) => {
      if (isForm(call)) return undefined;
      const type = getContentType(call);
      return `The token request has ${type === '' ? 'no content type' : `the content type ${type}`}. Send the parameters in the body, as application/x-www-form-urlencoded.`;
    }),

  'client.token-request.parameters'({ tokenRequests, authorizationOf }) {
    const exchanges = tokenRequests.filter((call) => isForm(call) && isExchange(parseForm(call)));
    return judgeEach(exchanges, 'The client has to exchange a code.', (call) => {
      const form = parseForm(call);
      // A client that may authenticate in the Authorization header also sends its client_id there.
      const needed = ['grant_type', 'code', 'redirect_uri', ...(isAuthenticatedByHeader(call) && isSuccess(call) ? [] : ['client_id'])];
      const missing = needed.filter((name) => !form.get(name));
      if (missing.length > 0)
        return `The code exchange has no ${missing.join(' and no ')}. Send grant_type=authorization_code, code, redirect_uri, client_id and code_verifier.`;
      const asked = authorizationOf.get(call)?.parameters.get('redirect_uri');
      if (!asked || [asked, form.get('redirect_uri')].includes(REDACTED) || asked === form.get('redirect_uri')) return undefined;
      return `The redirect_uri of the code exchange, ${form.get('redirect_uri')}, differs from the one in the authorization request, ${asked}. Send the same redirect_uri.`;
    });
  },

  'client.authentication.one-method'({ tokenRequests }) {
    const forms = tokenRequests.filter((call) => call.oauth?.authentication && !(isAuthenticatedByHeader(call) && isSuccess(call)));
    return judgeEach(forms, 'The client has to send a token request with client_secret or client_assertion.', (call) => {
      const methods = call.oauth?.authentication ?? [];
      const advice = 'Send exactly one: client_secret, or client_assertion with client_assertion_type.';
      if (isAuthenticatedByHeader(call))
        return `The token request has its client authentication in the Authorization header. The specification has two methods, which are both in the body. ${advice}`;
      if (methods.length === 1) return undefined;
      const count = methods.length === 0 ? 'no client authentication' : `${methods.length} client authentications (${methods.join(', ')})`;
      return `The token request has ${count}. ${advice}`;
    });
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

const getContentType = ({ request }: Call): string => request?.headers['content-type'] ?? '';
const isForm = (call: Call): boolean => FORM_PATTERN.test(getContentType(call));
const parseForm = ({ request }: Call): URLSearchParams => new URLSearchParams(typeof request?.body === 'string' ? request.body : '');
const isExchange = (form: URLSearchParams): boolean => form.has('code') || ['authorization_code', null].includes(form.get('grant_type'));
const isAuthenticatedByHeader = ({ oauth }: Call): boolean => oauth?.authentication?.join() === 'authorization_header';
