import type { DecisionId, Decisions } from './contract/generated/decisions.ts';
import type { KitHooks } from './running-kit.ts';

/** Calls the hook whenever a decision is looked up. */
export function observeLookups(decisions: Decisions, onDecision: KitHooks['onDecision']): Decisions {
  if (onDecision === undefined) return decisions;
  return new Proxy(decisions, {
    get(target, id: DecisionId) {
      onDecision(id);
      return target[id];
    },
  });
}
