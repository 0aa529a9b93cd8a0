import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationContext } from './context.ts';

/** What answers for one issuer. */
export interface Served {
  /** The library, for a request that was let through. */
  handle(request: IncomingMessage, res: ServerResponse): Promise<void>;
  readonly loginPage: {
    get(uid: string, req: IncomingMessage, res: ServerResponse): Promise<void>;
    post(uid: string, req: IncomingMessage, res: ServerResponse): Promise<void>;
  };
}

/** Clients may reach the kit under any name that the host guard allows, which is without end. */
const REMEMBERED = 8;

/** What answers for an issuer in the present world. The library is loaded at the first request that needs it: a start does not wait for it. */
export function servedBy(context: AuthorizationContext): (issuer: string) => Promise<Served> {
  const made = new Map<string, Promise<Served>>();
  return (issuer) => {
    const authority = context.authority();
    const key = `${authority.world} ${issuer}`;
    let served = made.get(key);
    if (served === undefined) {
      if (made.size >= REMEMBERED) made.delete(made.keys().next().value ?? '');
      served = load().then(({ createProvider, loginPages }) => {
        const provider = createProvider(issuer, authority, context);
        return { handle: provider.callback(), loginPage: loginPages(provider, issuer, context) };
      });
      made.set(key, served);
      // Whoever asks next may have more luck.
      served.catch(() => made.delete(key));
    }
    return served;
  };
}

const load = async () => ({ ...(await import('./provider.ts')), ...(await import('./login-pages.ts')) });
