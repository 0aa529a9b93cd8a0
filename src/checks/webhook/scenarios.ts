import type { FixedScenario } from './scenario.ts';
import { BASIC_SCENARIOS } from './scenarios/basic.ts';
import { LOST_STORE_SCENARIOS } from './scenarios/lost-store.ts';
import { ORDER_SCENARIOS } from './scenarios/order.ts';
import { REPEAT_SCENARIOS } from './scenarios/repeats.ts';
import { USER_SCENARIOS } from './scenarios/users.ts';

/** The fixed scenarios, in running order. Each is small, so that one consumer fault breaks one rule. */
export const SCENARIOS: readonly FixedScenario[] = [
  ...BASIC_SCENARIOS,
  ...REPEAT_SCENARIOS,
  ...ORDER_SCENARIOS,
  ...USER_SCENARIOS,
  ...LOST_STORE_SCENARIOS,
];
