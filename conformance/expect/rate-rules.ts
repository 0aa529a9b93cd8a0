import { rulesInScope } from '../../src/report/scope.ts';

/** The rules whose checks send a load: they take long, and a machine that is busy may be too slow for them. */
export const RATE_RULES = rulesInScope.filter(({ id }) => id.startsWith('limits.')).map(({ id }) => id);
