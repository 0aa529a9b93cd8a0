import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, problem, type Request, success } from '../exchange.ts';
import { misreading, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { whereRefused } from './refused.ts';
import { fitsAnotherType, ofEachType, TARGET_TYPES } from './target-types.ts';

const CHECK = 'getExperienceAssignability';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The result of a check that nobody made. */
const verdict = ({ path: { experienceId }, query: { targetType, targetValue } }: Request, assignable: boolean) =>
  success(200, { experienceId, targetType: targetType ?? 'USER', targetValue: targetValue ?? '', assignable });

/** A server that answers otherwise where a check is refused by a rule. @param where in which of its cases */
const otherwise = (
  rule: string,
  does: string,
  answer: (request: Request) => ReturnType<typeof problem>,
  where = (_: Request) => true,
): Saboteur => whereRefused(`assignability.${rule}`, CHECK, does, (_, request) => (where(request) ? answer(request) : undefined));

const withoutType = ({ query }: Request) => query.targetType === undefined;
const withoutValue = ({ query }: Request) => query.targetValue === undefined;

/** Servers that refuse checks otherwise, or not at all. */
export const assignabilityRefusals = {
  'assignability.target-missing': [
    otherwise('target-missing', 'Refuses a check without a targetType with 422.', () => problem(422), withoutType),
    otherwise('target-missing', 'Refuses a check without a targetValue with 422.', () => problem(422), withoutValue),
    otherwise('target-missing', 'Answers a check without a targetValue with false.', (asked) => verdict(asked, false), withoutValue),
    otherwise('target-missing', 'Answers a check without a targetValue with true.', (asked) => verdict(asked, true), withoutValue),
    otherwise('target-missing', 'Answers a check without a targetType with 404.', () => problem(404), withoutType),
    misreading('Sees by the targetValue what targetType it has where none is said.', CHECK, (request) =>
      withoutType(request) && !withoutValue(request)
        ? asking(request, { query: { targetType: request.query.targetValue?.startsWith('+') ? 'PHONE_NUMBER' : 'USER' } })
        : undefined,
    ),
  ],
  'assignability.target-type-not-allowed': [
    otherwise('target-type-not-allowed', 'Refuses a targetType that is not allowed with 422.', () => problem(422)),
    otherwise('target-type-not-allowed', 'Answers a check of a targetType that is not allowed with false.', (asked) =>
      verdict(asked, false),
    ),
    misreading('Takes any other targetType for USER.', CHECK, (request) =>
      TARGET_TYPES.every((type) => type !== request.query.targetType) && !withoutType(request)
        ? asking(request, { query: { targetType: 'USER' } })
        : undefined,
    ),
  ],
  'assignability.target-value-format': [
    otherwise('target-value-format', 'Refuses a targetValue in another format with 422.', () => problem(422)),
    otherwise('target-value-format', 'Answers a check of a targetValue in another format with 404.', () => problem(404)),
    ...ofEachType((type) =>
      otherwise(
        'target-value-format',
        `Answers a check of a ${type} in another format with false.`,
        (asked) => verdict(asked, false),
        ({ query }) => query.targetType === type,
      ),
    ),
    ...ofEachType((type) =>
      otherwise(
        'target-value-format',
        `Takes for a ${type} what has the format of another target.`,
        (asked) => verdict(asked, false),
        ({ query }) => query.targetType === type && fitsAnotherType(query),
      ),
    ),
  ],
  'assignability.read-only': [
    otherwise('read-only', 'Answers a caller that may only read the Experience with 404.', () => problem(404)),
    otherwise('read-only', 'Answers a caller that may only read the Experience with 401.', () => problem(401)),
    otherwise('read-only', 'Answers a caller that may only read the Experience with false.', (asked) => verdict(asked, false)),
    otherwise('read-only', 'Checks for a caller that may only read the Experience.', (asked) => verdict(asked, true)),
  ],
  'assignability.not-found': [
    otherwise(
      'not-found',
      'Refuses an experienceId that is not a UUID with 400.',
      () => problem(400),
      ({ path }) => !UUID.test(path.experienceId ?? ''),
    ),
    ...(['missing', 'hidden'] as const).flatMap((cause) => {
      const where = cause === 'missing' ? 'does not exist' : 'the caller has no access to';
      const server = (does: string, answer: (asked: Request) => ReturnType<typeof problem>) =>
        whereRefused('assignability.not-found', CHECK, does, async (_, request, behind) =>
          (await behind.exists('experiences', request.path.experienceId ?? '')) === (cause === 'hidden') ? answer(request) : undefined,
        );
      return [
        server(`Refuses the check of an Experience that ${where} with 403.`, () => problem(403)),
        server(`Answers the check of an Experience that ${where} with 422.`, () => problem(422)),
        server(`Answers the check of an Experience that ${where} with false.`, (asked) => verdict(asked, false)),
      ];
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
