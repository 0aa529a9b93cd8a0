import type { errors } from 'oidc-provider';

const WRONG_AUDIENCE = 'The client_assertion is for another audience (aud): it names the issuer, or the address of the token endpoint.';

/** What the library says, for its own log mostly, in sentences for the developer who reads the answer. What is not here is clear enough as it is. */
const SENTENCES: Readonly<Record<string, string>> = {
  'client not found': 'There is no client with this client_id.',
  "redirect_uri did not match any of the client's registered redirect_uris": 'The redirect_uri is not registered for the client.',
  'code_challenge_method must be provided': 'The parameter code_challenge_method is missing: it has to be S256.',
  'not supported value of code_challenge_method': 'The code_challenge_method has to be S256.',
  'code_challenge must be provided with code_challenge_method': 'The parameter code_challenge is missing: PKCE is required.',
  'Authorization Server policy requires PKCE to be used for this request':
    'The parameters code_challenge and code_challenge_method=S256 are missing: PKCE is required.',
  'unsupported response_type requested': 'The response_type has to be code.',
  'requested response_type is not allowed for this client': 'The client has no redirect URIs, so it cannot have codes.',
  'invalid secret provided': 'The client_secret is not that of the client.',
  'client_id mismatch': 'The client_id is not the sub of the client_assertion.',
  'client mismatch': 'The code or refresh token was issued to another client.',
  'authorization code not found': 'There is no such code: it was never issued, or what it gave was revoked.',
  'authorization code is expired': 'The code has expired.',
  'authorization code redirect_uri mismatch': 'The redirect_uri is not that of the authorization request.',
  'code_verifier must be provided': 'The parameter code_verifier is missing: the code was asked for with a code_challenge.',
  'code_verifier does not match code_challenge': 'The code_verifier does not match the code_challenge of the authorization request.',
  'refresh token not found': 'There is no such refresh token: it was never issued, or was revoked.',
  'refresh token is expired': 'The refresh token has expired.',
  'refresh token missing requested scope': 'A scope was asked for that the refresh token was not granted.',
  'refresh token missing requested scopes': 'Scopes were asked for that the refresh token was not granted.',
  'grant not found': 'What the user granted was revoked.',
  'grant is expired': 'What the user granted has expired, however often it was refreshed.',
  'invalid client_assertion format': 'The client_assertion is not a JWT.',
  'alg mismatch': 'The client_assertion is not signed with an algorithm of public keys (alg).',
  'signature verification failed': 'The signature of the client_assertion is not by the registered key of the client.',
  'no applicable key found in the JSON Web Key Set':
    'The client_assertion names another key or algorithm (kid, alg) than the registered one of the client.',
  'jwt expired': 'The client_assertion has expired (exp). It is judged by wall time.',
  'jwt not active yet': 'The client_assertion is not valid yet (nbf). It is judged by wall time.',
  'audience (aud) must equal the endpoint url, issuer identifier or token endpoint url': WRONG_AUDIENCE,
  'list of audience (aud) must include the endpoint url, issuer identifier or token endpoint url': WRONG_AUDIENCE,
};

/** What was wrong, as far as anybody knows. */
export function inWords({ error_detail: detail, error_description: description, message }: errors.OIDCProviderError): string {
  const known = SENTENCES[detail ?? ''] ?? SENTENCES[description ?? ''];
  if (known !== undefined) return known;
  const text = detail ?? description ?? message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
