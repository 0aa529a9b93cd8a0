import type { AccessLevels, TokenProblem } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';
import type { CompleteEvidence } from './empty-list.ts';

export function describeState(evidence: CompleteEvidence): components['schemas']['ExplainedState'] {
  const { cause, ...facts } = evidence;
  return { cause, text: describeEvidence(evidence), facts };
}

function describeEvidence(evidence: CompleteEvidence): string {
  switch (evidence.cause) {
    case 'token':
      return describeToken(evidence);
    case 'unknown':
      return `There was no ${evidence.what === 'experience' ? 'Experience' : evidence.what} ${JSON.stringify(evidence.value)}.`;
    case 'id style unsupported':
      return `${JSON.stringify(evidence.value)} is neither a unified id nor a native id of a supported style.`;
    case 'levels': {
      const subject = evidence.of === undefined ? '' : `The ${evidence.of} ${evidence.id} existed. `;
      return `${subject}${describeLevels(evidence)} The level ${evidence.needed} was required.`;
    }
    case 'already assigned':
      return `The target was already assigned to this Experience, by the assignment ${evidence.assignmentId}.`;
    case 'AGENT assignment': {
      const others = evidence.assignments.map(({ assignmentId, experienceId }) => `${experienceId} by the assignment ${assignmentId}`);
      return `The number was assigned to another Experience of type AGENT: ${others.join(', ')}.`;
    }
    case 'no connection':
      return `The account ${evidence.accountId} had no connection to the Experience ${evidence.experienceId}.`;
    case 'connection exists':
      return `The account was already connected to the Experience, by the connection ${evidence.connectionId}.`;
    case 'present state':
      return `The connection was already ${evidence.state}, since ${evidence.updatedAt}.`;
    case 'numbers assigned':
      return `Telephone numbers were still assigned: ${evidence.assignments.map(({ number, assignmentId }) => `${number} by the assignment ${assignmentId}`).join(', ')}.`;
    case 'cursor':
      return CURSOR_TEXTS[evidence.problem] + (evidence.issuedFor === undefined ? '' : ` It was issued for: ${evidence.issuedFor}.`);
    case 'empty list':
      return describeEmptyList(evidence);
    case 'not shown yet':
      return `The account has ${formatCount(evidence.total, 'user')}. The list shows a change only after ${evidence.lagMs} ms of kit time.`;
    case 'rate':
      return `The client ${evidence.clientId} had made ${evidence.inWindow} requests in the ${evidence.window} window of one second; ${evidence.limit} are allowed. The next request is accepted ${evidence.waitMs} ms later.`;
    case 'fault':
      return `The fault ${evidence.fault.id} (${evidence.fault.fault}) was injected into this request. Including this request, the fault had ${formatCount(evidence.fault.hits, 'hit')}.`;
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

function describeLevels({ experienceId, providerLevel, accountId, principalLevel, effectiveLevel }: AccessLevels): string {
  const sides = [
    ...(providerLevel === undefined ? [] : [`the provider had the level ${providerLevel} on the Experience ${experienceId}`]),
    ...(principalLevel === undefined ? [] : [`the principal had the level ${principalLevel} on the account ${accountId}`]),
  ];
  const text = sides.join(' and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${sides.length > 1 ? `, so the effective level was ${effectiveLevel}` : ''}.`;
}

function describeEmptyList({ of, accountId, total, matching, hidden }: Extract<CompleteEvidence, { cause: 'empty list' }>): string {
  const owner = accountId === undefined ? 'The target' : `The account ${accountId}`;
  const [firstHidden] = hidden;
  if (firstHidden)
    return `${formatCount(matching, of.slice(0, -1))} matched, but the caller may not see them. ${describeLevels(firstHidden)}`;
  if (total === 0) return `${owner} has no ${of}.`;
  return `${owner} has ${formatCount(total, of.slice(0, -1))}, but ${matching === 0 ? 'the filters exclude all of them' : `${matching} match now`}.`;
}

const formatCount = (count: number, singular: string): string => `${count} ${singular}${count === 1 ? '' : 's'}`;
