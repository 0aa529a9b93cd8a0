import type { Answer } from '../target/exchange.ts';
import { withoutSecrets } from '../target/secrets.ts';

/** What no report may show of these requests and answers: forms, JSON bodies and redirects carry it under these names. */
const SECRET_NAMES = ['client_secret', 'client_assertion', 'code', 'code_verifier', 'refresh_token', 'access_token', 'id_token'];

/**
 * The answer as reports may show it: whoever tells of it in a message, or as evidence, has nothing to hide any more. `json` keeps what checks go on with.
 */
export function withoutOAuthSecrets(answer: Answer): Answer {
  const { json, ...shown } = answer;
  const form = new URLSearchParams(answer.requestBody ?? '');
  const location = answer.headers.location ?? '';
  const query = URL.canParse(location, answer.url) ? new URL(location, answer.url).searchParams : new URLSearchParams();
  const members = Object(json) as Record<string, unknown>;
  const secrets = SECRET_NAMES.flatMap((name) => [form.get(name), query.get(name), members[name]]).filter(isText);
  // As they stand in a form, too.
  const cookies = [answer.headers['set-cookie'], answer.requestHeaders.cookie].filter(isText);
  const basic = answer.requestHeaders.authorization?.match(/\S+$/)?.[0];
  const hidden = [...secrets, ...secrets.map(encodeURIComponent), ...cookies, ...(basic === undefined ? [] : [basic])];
  return { ...withoutSecrets(shown, hidden), json };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
