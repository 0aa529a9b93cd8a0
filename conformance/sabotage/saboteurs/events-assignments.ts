import type { JudgedRuleId } from '../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';

export const eventsAssignments = {} satisfies Partial<SaboteursOf<JudgedRuleId['asyncapi']>>;
