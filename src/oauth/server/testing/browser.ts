/** Only `follow` follows a redirect. */
export function createBrowser() {
  const cookies = new Map<string, { value: string; path: string }>();

  async function open(url: string, init: RequestInit = {}): Promise<{ response: Response; text: string }> {
    const { pathname } = new URL(url);
    const sent = [...cookies].filter(([, { path }]) => pathname === path || pathname.startsWith(`${path}/`));
    const headers = new Headers(init.headers);
    headers.set('accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
    if (sent.length > 0) headers.set('cookie', sent.map(([name, { value }]) => `${name.slice(name.indexOf(' ') + 1)}=${value}`).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const text of response.headers.getSetCookie()) storeCookie(text);
    return { response, text: await response.text() };
  }

  function storeCookie(text: string): void {
    const [pair = '', ...attributes] = text.split(/;\s*/);
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice('path='.length) ?? '/';
    if (value === '') cookies.delete(`${path} ${name}`);
    else cookies.set(`${path} ${name}`, { value, path });
  }

  return {
    open,
    follow: ({ response }: { response: Response }, headers: Readonly<Record<string, string>> = {}) =>
      open(new URL(response.headers.get('location') ?? '', response.url).href, { headers }),
    submit: (url: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      open(url, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin', ...headers },
      }),
    cookies: () => [...cookies.keys()],
  };
}
