import type { components } from '../contract/generated/service.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4010';

/** Calls of the control API of a running kit. A refusal becomes an Error with the kit's own words. */
export function controlClient(url: string, controlToken?: string) {
  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    if (!URL.canParse(url)) throw new Error(`--url is an address such as ${DEFAULT_URL}, not ${url}.`);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...(controlToken && { 'x-control-token': controlToken }),
    };
    const init = { method, headers, redirect: 'error', ...(body !== undefined && { body: JSON.stringify(body) }) } as const;
    const response = await fetch(`${url.replace(/\/$/, '')}/_control${path}`, init).catch((error: Error) => {
      throw new Error(
        `No kit answers at ${url} (${(error.cause as Error | undefined)?.message ?? error.message}). Start one with: xpk start`,
      );
    });
    const text = await response.text();
    if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Body;
    throw new Error(refusalOf(url, problemIn(text)) ?? `${url} refused: ${response.status} ${response.statusText}`);
  }
  return {
    get: <Body>(path: string) => call<Body>('GET', path),
    post: <Body>(path: string, body: unknown) => call<Body>('POST', path, body),
    put: <Body>(path: string, body?: unknown) => call<Body>('PUT', path, body),
    patch: <Body>(path: string, body: unknown) => call<Body>('PATCH', path, body),
    delete: (path: string) => call<void>('DELETE', path),
  };
}

function refusalOf(url: string, { type, title, detail }: Partial<components['schemas']['Problem']>): string | undefined {
  // No path that is asked for here is unknown to a control API that is there.
  if (type === '/problems/http.unknown-route') return `The control API is off at ${url}: the kit there was started with --no-control.`;
  const hint = type === '/problems/http.control-token-required' ? ' Give it with --control-token or XPK_CONTROL_TOKEN.' : '';
  const said = detail ?? title;
  return said === undefined ? undefined : `${url} refused: ${said}${hint}`;
}

function problemIn(text: string): Partial<components['schemas']['Problem']> {
  try {
    return JSON.parse(text) as components['schemas']['Problem'];
  } catch {
    return {};
  }
}
