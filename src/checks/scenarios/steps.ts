import type { ApiRequest, Capture, Scenario } from '../../refusals/scenario.ts';
import { encodeValue } from './demo-requests.ts';

export interface Step extends ApiRequest {
  readonly api: 'control' | 'service';
  readonly capture?: Capture;
  readonly copies?: number;
}

export interface Steps {
  readonly before: readonly Step[];
  readonly request: Step;
  readonly after: readonly Step[];
}

const toControlStep = (step: Omit<Step, 'api'>): Step => ({ ...step, path: `/_control${step.path}`, api: 'control' });

export function toSteps({ before = [], after = [], fault, cursorOf, authorization, request, copies }: Scenario): Steps {
  const path = cursorOf === undefined ? request.path : `${request.path}&cursor=$CURSOR`;
  return {
    before: [
      ...before.map(toControlStep),
      ...(fault ? [toControlStep({ method: 'POST', path: '/faults', body: fault, capture: { name: 'FAULT', member: 'id' } })] : []),
      ...(cursorOf === undefined ? [] : [{ api: 'service', path: cursorOf, capture: { name: 'CURSOR', member: 'cursor' } } as const]),
      ...(authorization ? [toAuthorizationStep(authorization)] : []),
    ],
    request: { ...request, path, api: 'service', ...(copies !== undefined && { copies }) },
    after: [...(fault ? [toControlStep({ method: 'DELETE', path: '/faults/$FAULT' })] : []), ...after.map(toControlStep)],
  };
}

function toAuthorizationStep(parameters: NonNullable<Scenario['authorization']>): Step {
  return { api: 'service', path: buildAuthorizePath(parameters), token: 'none', capture: { name: 'CODE', member: 'code' } };
}

/** Returns an authorization request's path, in which placeholders such as `{clients/acme-web}` are not encoded. */
export const buildAuthorizePath = (parameters: NonNullable<Scenario['authorization']>): string =>
  `/auth/authorize?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeValue(value)}`)
    .join('&')}`;

export function toCurl(
  { api, method = 'GET', path, token = 'full', headers = {}, body, form, capture, copies }: Step,
  url: string,
  needsControlToken: boolean,
): string {
  const isRedirect = capture?.member === 'code';
  const words = [
    'curl',
    ...(capture ? ['-s'] : []),
    ...(isRedirect ? [`-o /dev/null -w '%{redirect_url}'`] : []),
    ...(copies === undefined ? [] : [`--parallel --parallel-max ${copies} -s -o /dev/null -w '%{http_code}\\n'`]),
    ...(method === 'GET' || (method === 'POST' && form) ? [] : [`-X ${method}`]),
    // `#[1-3]` makes curl send three equal requests: it expands the brackets, but does not send a URL's fragment.
    quoteForShell(`${url}${path}${copies === undefined ? '' : `#[1-${copies}]`}`),
    ...(api === 'control' ? formatControlHeaders(needsControlToken) : formatTokenHeader(token, url)),
    ...Object.entries({ ...(body !== undefined && api === 'service' && { 'content-type': 'application/json' }), ...headers }).map(
      ([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${quoteForShell(typeof body === 'string' ? body : JSON.stringify(body))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`),
  ];
  const line = words.join(' ');
  if (!capture) return line;
  const pattern = isRedirect ? 's/.*[?&]code=\\([^&]*\\).*/\\1/' : `s/.*"${capture.member}":"\\([^"]*\\)".*/\\1/`;
  return `${capture.name}=$(${line} | sed '${pattern}')`;
}

function formatControlHeaders(needsControlToken: boolean): string[] {
  return [`-H 'content-type: application/json'`, ...(needsControlToken ? ['-H "x-control-token: $XPK_CONTROL_TOKEN"'] : [])];
}

function formatTokenHeader(token: NonNullable<ApiRequest['token']>, url: string): string[] {
  if (token === 'none') return [];
  const command = typeof token === 'string' ? token : `--client acme-web --principal manager --kind ${token.kind}`;
  return [`-H "authorization: Bearer $(xpk token ${command} --url ${url})"`];
}

/** Quotes a word for a shell, with double quotes around variables such as `$CODE`, so that the shell replaces them. */
function quoteForShell(word: string): string {
  if (/\$[A-Z]/.test(word)) return `"${word.replaceAll(/["\\`]/g, '\\$&')}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
