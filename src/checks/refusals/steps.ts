import type { ApiRequest, Capture, Scenario } from './scenario.ts';

/** One HTTP request of a scenario. Its strings may contain `$NAME`, the captured value of an earlier step. */
export interface Step extends ApiRequest {
  readonly door: 'control' | 'service';
  readonly capture?: Capture;
  readonly copies?: number;
}

export interface Steps {
  readonly before: readonly Step[];
  readonly request: Step;
  /** The steps that restore the world. */
  readonly after: readonly Step[];
}

const control = (step: Omit<Step, 'door'>): Step => ({ ...step, path: `/_control${step.path}`, door: 'control' });

/** Returns the HTTP requests of a scenario. */
export function stepsOf({ before = [], after = [], fault, cursorOf, authorization, request, copies }: Scenario): Steps {
  const path = cursorOf === undefined ? request.path : `${request.path}&cursor=$CURSOR`;
  return {
    before: [
      ...before.map(control),
      ...(fault ? [control({ method: 'POST', path: '/faults', body: fault, capture: { name: 'FAULT', member: 'id' } })] : []),
      ...(cursorOf === undefined ? [] : [{ door: 'service', path: cursorOf, capture: { name: 'CURSOR', member: 'cursor' } } as const]),
      ...(authorization ? [authorizationStep(authorization)] : []),
    ],
    request: { ...request, path, door: 'service', ...(copies !== undefined && { copies }) },
    after: [...(fault ? [control({ method: 'DELETE', path: '/faults/$FAULT' })] : []), ...after.map(control)],
  };
}

function authorizationStep(parameters: NonNullable<Scenario['authorization']>): Step {
  return {
    door: 'service',
    path: authorizePath(parameters),
    token: 'none',
    capture: { name: 'CODE', member: 'code' },
  };
}

/** Returns the path of an authorization request. Placeholders such as `{clients/acme-web}` are not encoded. */
export const authorizePath = (parameters: NonNullable<Scenario['authorization']>): string =>
  `/auth/authorize?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${/^\{.*\}$/.test(value) ? value : encodeURIComponent(value)}`)
    .join('&')}`;

/** Formats a step as a command line with curl. @param url the base URL of the kit */
export function toCurl(
  { door, method = 'GET', path, token = 'full', headers = {}, body, form, capture, copies }: Step,
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
    // curl sends one request for each number in the brackets, and does not send the part after #.
    quote(`${url}${path}${copies === undefined ? '' : `#[1-${copies}]`}`),
    ...(door === 'control' ? controlHeaders(needsControlToken) : tokenHeader(token, url)),
    ...Object.entries({ ...(body !== undefined && door === 'service' && { 'content-type': 'application/json' }), ...headers }).map(
      ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
  ];
  const line = words.join(' ');
  if (!capture) return line;
  const pattern = isRedirect ? 's/.*[?&]code=\\([^&]*\\).*/\\1/' : `s/.*"${capture.member}":"\\([^"]*\\)".*/\\1/`;
  return `${capture.name}=$(${line} | sed '${pattern}')`;
}

function controlHeaders(needsControlToken: boolean): string[] {
  return [`-H 'content-type: application/json'`, ...(needsControlToken ? ['-H "x-control-token: $XPK_CONTROL_TOKEN"'] : [])];
}

function tokenHeader(token: NonNullable<ApiRequest['token']>, url: string): string[] {
  if (token === 'none') return [];
  const command = typeof token === 'string' ? token : `--client acme-web --principal manager --kind ${token.kind}`;
  return [`-H "authorization: Bearer $(xpk token ${command} --url ${url})"`];
}

/** Quotes a word for a shell. A word with a variable, such as `$CODE`, is quoted so that the shell replaces the variable. */
function quote(word: string): string {
  if (/\$[A-Z]/.test(word)) return `"${word.replaceAll(/["\\`]/g, '\\$&')}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
