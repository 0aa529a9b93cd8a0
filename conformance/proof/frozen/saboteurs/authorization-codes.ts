import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { isSuccess, type Reply, type Request } from '../exchange.ts';
import { remembering, type SaboteursOf, type Service } from '../saboteur.ts';
import { carriedBy, exchanging, formOf, isExchange, knowingCodes, withRightSecret } from './authorization-requests.ts';

/** The same exchange with a code that was issued this moment, to the same request. */
async function withFreshCode(request: Request, known: Request, service: Service): Promise<Reply> {
  return service(exchanging(request, { code: carriedBy(await service(known)).code }));
}

/** A server that answers an exchange again as it did, as long as it remembers. */
const repeating = (does: string, isSame: (now: Request) => string) =>
  remembering(does, () => {
    const given = new Map<string, Reply>();
    return async (request, service) => {
      if (!isExchange(request)) return service(request);
      const known = given.get(isSame(request));
      if (known !== undefined) return known;
      const reply = await service(request);
      if (isSuccess(reply)) given.set(isSame(request), reply);
      return reply;
    };
  });

/** Servers that break one rule each. */
export const authorizationCodes = {
  'oauth.code.single-use': [
    repeating('Gives the same token again where a code comes again.', (request) => formOf(request).code ?? ''),
    knowingCodes('Gives a new token where a code comes again.', async (known, _last, request, service) => {
      const reply = await service(request);
      return !isSuccess(reply) && /used before/.test(reply.text) && known ? withFreshCode(request, known, service) : reply;
    }),
  ],
  'oauth.code.short-lived': [
    knowingCodes('Keeps codes for a day.', async (known, _last, request, service) => {
      const reply = await service(request);
      return !isSuccess(reply) && /expired/.test(reply.text) && known ? withFreshCode(request, known, service) : reply;
    }),
  ],
  'oauth.code.client': [
    knowingCodes('Does not look whom a code was issued to.', async (known, _last, request, service, behind) => {
      const issuedTo = known?.query.client_id;
      return service(
        issuedTo !== undefined && issuedTo !== formOf(request).client_id ? await withRightSecret(request, behind, issuedTo) : request,
      );
    }),
  ],
  'oauth.code.redirect-uri': [
    knowingCodes('Does not look at redirect_uri at the exchange.', async (known, _last, request, service) =>
      service(known ? exchanging(request, { redirect_uri: known.query.redirect_uri }) : request),
    ),
    knowingCodes('Compares only where redirect_uri begins.', async (known, _last, request, service) => {
      const uri = known?.query.redirect_uri ?? '';
      return service(known && formOf(request).redirect_uri?.startsWith(uri) ? exchanging(request, { redirect_uri: uri }) : request);
    }),
    knowingCodes('Compares the path of redirect_uri only.', async (known, _last, request, service) => {
      const uri = known?.query.redirect_uri ?? '';
      const isSamePath = formOf(request).redirect_uri?.endsWith(uri.replace(/^\w+:\/\/[^/]+/, ''));
      return service(known && isSamePath ? exchanging(request, { redirect_uri: uri }) : request);
    }),
  ],
  'oauth.code.unknown': [
    knowingCodes('Takes any code.', async (known, last, request, service) =>
      !known && last ? withFreshCode(request, last, service) : service(request),
    ),
    knowingCodes('Takes any code that is a UUID.', async (known, last, request, service) =>
      !known && last && /^[\da-f-]{36}$/.test(formOf(request).code ?? '') ? withFreshCode(request, last, service) : service(request),
    ),
    knowingCodes('Does not compare the last letter of codes.', async (known, last, request, service) =>
      !known && last && !/^[\da-f-]{36}$/.test(formOf(request).code ?? '') ? withFreshCode(request, last, service) : service(request),
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['authorization']>>;
