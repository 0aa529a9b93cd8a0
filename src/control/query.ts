import { didYouMean } from '../contract/did-you-mean.ts';
import { type ControlOperationId, controlOperations } from '../contract/generated/control-operations.ts';
import type { GateRefusal } from '../http/answer.ts';
import { type ControlRequest, cannot } from './handler.ts';

/**
 * The query of a request, each parameter once. The service ignores what it does not know; here a filter with a slip of the pen would show everything.
 *
 * @param url the path and the query as they were sent
 */
export function queryOf(operationId: ControlOperationId, url: string): Pick<ControlRequest, 'query'> | GateRefusal {
  const at = url.indexOf('?');
  const given = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const known: readonly string[] = controlOperations[operationId].queryParameters;
  for (const name of given.keys()) {
    if (!known.includes(name)) {
      const right =
        known.length === 0
          ? ' There is none here.'
          : didYouMean(name, known) || ` There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}.`;
      return cannot('invalid', `There is no parameter "${name}".${right}`);
    }
    if (given.getAll(name).length > 1)
      return cannot('invalid', `The parameter ${name} is given ${given.getAll(name).length} times: give it once.`);
  }
  return { query: Object.fromEntries(given) };
}
