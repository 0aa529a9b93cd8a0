import { HOOK_NAME } from '../events/relay.ts';

/** The servers to which a proxy forwards requests (docs/real-service.md). All URLs are http or https. */
export interface UpstreamSettings {
  /** The base URL of the API. */
  readonly api: string;
  /** The base URL of the authorization server, which the specification calls {auth_url}. Undefined: `/auth` is not forwarded. */
  readonly auth?: string;
  /** The endpoints that receive the deliveries to `/hooks/NAME`, by name. */
  readonly events?: Readonly<Record<string, string>>;
  /** How long a target may take to connect, to respond, and between two parts of its response: 1 ms to 10 min. Default 30 s. */
  readonly timeoutMs?: number;
  /** Accepts every TLS certificate. */
  readonly insecure?: boolean;
  /** Lets faults affect requests that change something. By default, they affect only GET requests. */
  readonly faultWrites?: boolean;
}

/** A server to which requests are forwarded. */
export interface Target {
  readonly origin: string;
  /** What precedes the path of each forwarded request: empty, or a path without a trailing slash. */
  readonly path: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;

export type Upstream = ReturnType<typeof parseUpstream>;

/** @throws TypeError if a value is not valid */
export function parseUpstream({
  api,
  auth,
  events = {},
  timeoutMs = DEFAULT_TIMEOUT_MS,
  insecure = false,
  faultWrites = false,
}: UpstreamSettings) {
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new TypeError(`The timeout of a proxy must be a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, not ${timeoutMs}.`);
  const name = Object.keys(events).find((each) => !HOOK_NAME.test(each));
  if (name !== undefined)
    throw new TypeError(`The name of a receiver must consist of small letters, digits and hyphens, not ${JSON.stringify(name)}.`);
  return {
    api: parseTarget(api, '--to'),
    auth: auth === undefined ? undefined : parseTarget(auth, '--auth-to'),
    events: new Map(Object.entries(events).map(([hook, url]) => [hook, parseTarget(url, '--events')])),
    timeoutMs,
    insecure,
    faultWrites,
  };
}

function parseTarget(text: string, option: string): Target {
  const url = URL.parse(text);
  // The URL is shown, so it must not contain a password.
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '' || /[?#]/.test(text))
    throw new TypeError(
      `The URL of a proxy's target (${option}) must be an http or https URL without user, query or fragment, such as https://staging.example.com, not ${text.replace(/\/\/[^/@]*@/, '//…@')}.`,
    );
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}
