import type { RuleId } from '../contract/generated/rules.ts';

export type TokenRule = Extract<RuleId, 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired'>;

/** Why a caller is not known: the rule (Errors: 401), and what exactly was wrong. The detail never repeats what was sent: it may be a secret. */
export interface Rejected<Rule extends TokenRule = TokenRule> {
  readonly rule: Rule;
  readonly detail: string;
}

export const missing = (detail: string): Rejected<'auth.token.missing'> => ({ rule: 'auth.token.missing', detail });
export const invalid = (detail: string): Rejected<'auth.token.invalid'> => ({ rule: 'auth.token.invalid', detail });
export const expired = (detail: string): Rejected<'auth.token.expired'> => ({ rule: 'auth.token.expired', detail });

export function isRejected<T extends object>(result: T): result is Extract<T, Rejected> {
  return 'rule' in result;
}
