import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { Call } from '../client/call.ts';
import { buildHistory, type History, sortByArrival } from '../client/history.ts';
import { type Exchange, isAfter, succeeds, toExchange } from './exchange.ts';

export interface Traffic {
  /** In order of arrival. */
  readonly exchanges: readonly Exchange[];
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

/** Returns the exchanges before and after one in which the same token has the operation's scope. */
export function findProofOfScope(each: Exchange, { exchanges }: Traffic): readonly Exchange[] {
  const used = exchanges.filter(
    (other) => other.token !== undefined && other.token === each.token && getScope(other) === getScope(each) && succeeds(other),
  );
  const [before, after] = [used.findLast((other) => isAfter(other, each)), used.find((other) => isAfter(each, other))];
  return before && after ? [before, after] : [];
}
