import { type Failure, refuse } from '../contract/failure.ts';
import type { RuleId } from '../contract/generated/rules.ts';

export type TokenRule = Extract<RuleId, 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired'>;

/** Why a caller is not known (Errors: 401). The detail never repeats what was sent: it may be a secret. */
export type RejectedToken = Failure<TokenRule, 401>;

export const missingToken = (detail: string): RejectedToken => refuse(401, 'auth.token.missing', detail);
export const invalidToken = (detail: string): RejectedToken => refuse(401, 'auth.token.invalid', detail);
export const expiredToken = (detail: string): RejectedToken => refuse(401, 'auth.token.expired', detail);
