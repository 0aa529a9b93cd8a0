import type { AccessLevels, RequestSender, TokenProblem } from '../../contract/evidence.ts';
import { formatPlural } from '../../contract/format-plural.ts';
import type { components } from '../../contract/generated/control.ts';
import type { Executor } from '../../store/engine.ts';
import { findNames } from '../../world/names.ts';
import type { CompleteEvidence } from './empty-list.ts';

/** Loads the names of all entities in the evidence, because a text with ids is hard to read. */
export async function describeState(
  db: Executor,
  evidence: CompleteEvidence,
  sender: RequestSender | undefined,
): Promise<components['schemas']['ExplainedState']> {
  const { cause, ...facts } = evidence;
  const sides = 'effectiveLevel' in facts && {
    ...(facts.experienceId !== undefined && { providerId: sender?.providerId }),
    ...(facts.accountId !== undefined && { principalId: sender?.principalId }),
  };
  const names = await findNames(db, JSON.stringify([evidence, sender]));
  const getName = (id = '') => names[id]?.name ?? id;
  return { cause, text: describeEvidence(evidence, { ...sender, getName }), facts: { ...facts, ...sides }, names };
}

interface Context extends Partial<RequestSender> {
  readonly getName: (id: string | undefined) => string;
}

function describeEvidence(evidence: CompleteEvidence, context: Context): string {
  const { getName } = context;
  switch (evidence.cause) {
    case 'token':
      return describeToken(evidence);
    case 'unknown':
      return `There was no ${evidence.what === 'experience' ? 'Experience' : evidence.what} ${JSON.stringify(evidence.value)}.`;
    case 'id style unsupported':
      return `${JSON.stringify(evidence.value)} is neither a unified id nor a native id of a supported style.`;
    case 'levels': {
      const subject = evidence.of === undefined ? '' : `The ${evidence.of} ${getName(evidence.id)} exists, but `;
      return `${subject}${describeLevels(evidence, evidence.needed, context)}`;
    }
    case 'already assigned':
      return `The target was already assigned to this Experience, by the assignment ${getName(evidence.assignmentId)}.`;
    case 'AGENT assignment': {
      const others = evidence.assignments.map(
        ({ assignmentId, experienceId }) => `${getName(experienceId)} by the assignment ${getName(assignmentId)}`,
      );
      return `The number was assigned to another Experience of type AGENT: ${others.join(', ')}.`;
    }
    case 'no connection':
      return `The account ${getName(evidence.accountId)} had no connection to the Experience ${getName(evidence.experienceId)}.`;
    case 'connection exists':
      return `The account was already connected to the Experience, by the connection ${getName(evidence.connectionId)}.`;
    case 'present state':
      return `The connection was already ${evidence.state}, since ${evidence.updatedAt}.`;
    case 'numbers assigned':
      return `Telephone numbers were still assigned: ${evidence.assignments.map(({ number, assignmentId }) => `${number} by the assignment ${getName(assignmentId)}`).join(', ')}.`;
    case 'cursor':
      return CURSOR_TEXTS[evidence.problem] + (evidence.issuedFor === undefined ? '' : ` It was issued for: ${evidence.issuedFor}.`);
    case 'empty list':
      return describeEmptyList(evidence, context);
    case 'not shown yet':
      return `The account has ${formatPlural(evidence.total, 'user')}. The list shows a change only after ${evidence.lagMs} ms of kit time.`;
    case 'rate':
      return `The client ${getName(evidence.clientId)} had made ${evidence.inWindow} requests in the ${evidence.window} window of one second; ${evidence.limit} are allowed. The next request is accepted ${evidence.waitMs} ms later.`;
    case 'preference':
      return `The Prefer header of the request chose the status ${evidence.status}.`;
    case 'fault':
      return `The fault ${evidence.fault.id} (${evidence.fault.fault}) was injected into this request. Including this request, the fault had ${formatPlural(evidence.fault.hits, 'hit')}.`;
  }
}

const TOKEN_PROBLEM_TEXTS: Readonly<Record<TokenProblem, string>> = {
  missing: 'No access token was sent.',
  'not bearer': 'The Authorization header has no Bearer token.',
  invalid: 'The access token is not valid.',
  expired: 'The access token had expired.',
  'unknown client': 'The client of the access token did not exist.',
  'unknown principal': 'The principal of the access token did not exist.',
  'no principal': 'The access token has no principal.',
  'no scope': 'The access token lacks the scope.',
  'no principal and no scope': 'The access token has no principal and lacks the scope.',
};

function describeToken({ problem, token, neededScope }: Extract<CompleteEvidence, { cause: 'token' }>): string {
  const { expiresAt, validFrom } = token ?? {};
  return [
    TOKEN_PROBLEM_TEXTS[problem],
    ...(problem === 'expired' && expiresAt !== undefined ? [`It was valid until ${expiresAt}.`] : []),
    ...(problem === 'invalid' && validFrom !== undefined ? [`It is valid from ${validFrom}.`] : []),
    ...(neededScope === undefined ? [] : [`The operation requires ${neededScope}.`]),
  ].join(' ');
}

const CURSOR_TEXTS = {
  malformed: 'The cursor was not issued by this service since the world was last loaded or reset.',
  'other list': 'The cursor was issued for another list.',
  'at the end': 'The list ended at the cursor.',
} as const;

const LEVEL_VERBS = { none: 'may not see', read: 'may only read', manage: 'may manage' } as const;
const LEVEL_RANKS = { none: 0, read: 1, manage: 2 } as const;

/** Names the side whose level is too low, such as "Maya Manager may only read Contoso; this needs manage." */
function describeLevels(
  { experienceId, providerLevel = 'manage', accountId, principalLevel = 'manage' }: AccessLevels,
  needed: 'read' | 'manage',
  { providerId, principalId, getName }: Context,
): string {
  const sides = [
    [providerLevel, providerId === undefined ? 'the provider' : getName(providerId), getName(experienceId)],
    [principalLevel, principalId === undefined ? 'the principal' : getName(principalId), getName(accountId)],
  ] as const;
  const tooLow = sides.filter(([level]) => LEVEL_RANKS[level] < LEVEL_RANKS[needed]);
  return `${tooLow.map(([level, who, what]) => `${who} ${LEVEL_VERBS[level]} ${what}`).join(', and ')}; this needs ${needed}.`;
}

function describeEmptyList(
  { of, accountId, total, matching, hidden }: Extract<CompleteEvidence, { cause: 'empty list' }>,
  context: Context,
): string {
  const owner = accountId === undefined ? 'The target' : context.getName(accountId);
  const [firstHidden] = hidden;
  if (firstHidden) return `${formatPlural(matching, of.slice(0, -1))} matched, but ${describeLevels(firstHidden, 'read', context)}`;
  if (total === 0) return `${owner} has no ${of}.`;
  return `${owner} has ${formatPlural(total, of.slice(0, -1))}, but ${matching === 0 ? 'the filters exclude all of them' : `${matching} match now`}.`;
}
