import type { JudgedRuleId } from '../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';

export const eventsProvisioning = {} satisfies Partial<SaboteursOf<JudgedRuleId['asyncapi']>>;
