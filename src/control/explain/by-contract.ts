import type { components } from '../../contract/generated/control.ts';
import { operations } from '../../contract/generated/operations.ts';
import { listDocumentedRefusals } from '../contract.ts';
import type { ControlDeps } from '../handler.ts';
import { describeReason } from './reason.ts';
import type { SentRequest } from './sent-request.ts';

type Explained = Pick<components['schemas']['Explanation'], 'summary' | 'reason' | 'refusals'>;

/** Explains a refusal by the target of a proxy, whose state is not known: what the contract says about its reason or its status. */
export async function explainByContract(
  sent: SentRequest,
  { decisions, about: { upstream } }: Pick<ControlDeps, 'decisions' | 'about'>,
): Promise<Explained> {
  const { entry, operationId } = sent;
  const [, hook] = /^\/hooks\/([^/?]+)/.exec(entry.path) ?? [];
  if (hook !== undefined) return { summary: `${upstream?.events?.[hook]} answered ${entry.status} to the delivery.` };
  const answered = `${entry.door === 'authorization' ? upstream?.auth : upstream?.api} answered ${entry.status}`;
  // Another server's types may be other URLs with the same ids.
  const reason = await describeReason({ ...sent, problemId: sent.problemId?.split(/[/#]/).at(-1) }, decisions);
  if (reason?.kind === 'decision') return { summary: `${answered}. The specification leaves this open: ${reason.text}` };
  if (reason) return { summary: `${answered}.`, reason };
  if (operationId === undefined) return { summary: `${answered}. The contract has no operation with this method and path.` };
  const { rules } = await import('../../contract/generated/rules-table.ts');
  const refusals = listDocumentedRefusals(operationId, rules).filter(({ status }) => status === entry.status);
  if (refusals.length > 0)
    return {
      summary: `${answered}. The contract documents these reasons for ${entry.status} from ${operationId}; the proxy does not know the state of its target, so it cannot tell which one applies.`,
      refusals,
    };
  const documented = operations[operationId].statuses.join(', ');
  return { summary: `${answered}, which the contract does not document for ${operationId}. Its statuses are ${documented}.` };
}
