import type { JudgedRuleId } from '../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';

export const eventsHeaders = {} satisfies Partial<SaboteursOf<JudgedRuleId['asyncapi']>>;
