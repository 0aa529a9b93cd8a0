import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { SERVICE_SCOPES } from '../../contract/service-scopes.ts';
import type { Call } from '../client/call.ts';
import { buildHistory, type History, sortByArrival } from '../client/history.ts';
import { findDeliveries, type PassedDelivery } from './deliveries.ts';
import { type Exchange, isAfter, normalize, succeeds, toExchange } from './exchange.ts';

export interface Traffic {
  /** In order of arrival. */
  readonly exchanges: readonly Exchange[];
  /** What passed a proxy on the way to an endpoint, in order of arrival. */
  readonly deliveries: readonly PassedDelivery[];
  readonly history: History;
  readonly baseUrl: string;
  /** Whether a request without an Authorization header was sent without one: some files omit this header. */
  readonly showsAuthorization: boolean;
  of(...operations: readonly OperationId[]): readonly Exchange[];
}

/** @param calls entries of a kit's or a proxy's journal, or of a file; in any order */
export function createTraffic(calls: readonly Call[], baseUrl: string): Traffic {
  // A proxy may answer for its target, for example when the target does not respond.
  const isProxy = calls.some(({ step }) => step === 'forward');
  const answered = isProxy ? calls.filter(({ step }) => step === 'forward') : calls;
  const exchanges = sortByArrival(answered).flatMap((call) => toExchange(call, baseUrl) ?? []);
  const byOperation = Map.groupBy(exchanges, ({ operation }) => operation);
  return {
    exchanges,
    deliveries: findDeliveries(calls, baseUrl),
    history: buildHistory(answered),
    baseUrl,
    showsAuthorization: answered.some(({ request }) => request?.headers.authorization !== undefined),
    of: (...ids) => {
      const found = ids.map((id) => byOperation.get(id) ?? []);
      return found.length === 1 ? found[0]! : exchanges.filter(({ operation }) => ids.includes(operation));
    },
  };
}

export const getScope = ({ operation }: Exchange): string => operations[operation].scope;

/** Returns the scopes in a token's claims. A token without any scope of the service may have its permissions in other claims. */
export const readScopes = ({ call }: Exchange): readonly string[] | undefined =>
  call.credential?.scopes?.some((scope) => SERVICE_SCOPES.has(scope)) ? call.credential.scopes : undefined;

/** Whether an exchange's token has the operation's scope, according to the token's claims or to other exchanges. */
export const hasScope = (each: Exchange, traffic: Traffic): boolean =>
  readScopes(each)?.includes(getScope(each)) === true || findProof(each, traffic).length > 0;

/**
 * Returns successes before and after an exchange, which prove that its token has the operation's scope.
 * @param shown an id that the caller may see, because both responses contain it, or are about it
 */
export function findProof(each: Exchange, { exchanges }: Traffic, shown = ''): readonly Exchange[] {
  const isProof = (other: Exchange) =>
    other.token !== undefined &&
    other.token === each.token &&
    getScope(other) === getScope(each) &&
    succeeds(other) &&
    (normalize(other.answer.text).includes(shown) || normalize(other.id) === shown);
  const [before, after] = [
    exchanges.findLast((other) => isAfter(other, each) && isProof(other)),
    exchanges.find((other) => isAfter(each, other) && isProof(other)),
  ];
  return before && after ? [before, after] : [];
}
