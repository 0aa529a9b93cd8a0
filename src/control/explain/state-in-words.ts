import type { Evidence, Levels, TokenProblem } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';

type State = components['schemas']['ExplainedState'];

/** What a request was judged on, in words and as facts. */
export function stateOf(evidence: Evidence): State {
  const { cause, ...facts } = evidence;
  return { cause, text: inWords(evidence), facts };
}

function inWords(evidence: Evidence): string {
  switch (evidence.cause) {
    case 'token':
      return `${TOKENS[evidence.problem]}${expiry(evidence)}${evidence.neededScope === undefined ? '' : ` The operation needs ${evidence.neededScope}.`}`;
    case 'unknown':
      return `There was no ${evidence.what === 'experience' ? 'Experience' : evidence.what} ${JSON.stringify(evidence.value)}.`;
    case 'id style unsupported':
      return `${JSON.stringify(evidence.value)} is no unified id, and no native id of a style that is supported.`;
    case 'levels': {
      const what = evidence.of === undefined ? '' : `The ${evidence.of} ${evidence.id} existed. `;
      return `${what}${levelsInWords(evidence)} The level ${evidence.needed} was needed.`;
    }
    case 'already assigned':
      return `The target was assigned to this Experience already, by the assignment ${evidence.assignmentId}.`;
    case 'AGENT assignment':
      return `The number was assigned to another Experience of type AGENT: ${evidence.assignments.map(({ assignmentId, experienceId }) => `${experienceId} by the assignment ${assignmentId}`).join(', ')}.`;
    case 'no connection':
      return `The account ${evidence.accountId} had no connection to the Experience ${evidence.experienceId}.`;
    case 'connection exists':
      return `The account was connected to the Experience already, by the connection ${evidence.connectionId}.`;
    case 'present state':
      return `The connection was ${evidence.state} already, since ${evidence.updatedAt}.`;
    case 'numbers assigned':
      return `Still assigned: ${evidence.assignments.map(({ number, assignmentId }) => `${number} by the assignment ${assignmentId}`).join(', ')}.`;
    case 'cursor':
      return CURSORS[evidence.problem] + (evidence.issuedFor === undefined ? '' : ` It was issued for: ${evidence.issuedFor}.`);
    case 'empty list':
      return emptyInWords(evidence);
    case 'not shown yet':
      return `The account had ${counted(evidence.total, 'user')}, which the list did not show yet: it lags ${evidence.lagMs} ms of kit time behind.`;
    case 'rate':
      return `The client ${evidence.clientId} had made ${evidence.inWindow} requests in the ${evidence.window} window of one second; ${evidence.limit} are allowed. One would have passed ${evidence.waitMs} ms later.`;
    case 'fault':
      return `The fault ${evidence.fault.id} (${evidence.fault.fault}) was injected into this request; it was hit number ${evidence.fault.hits}.`;
  }
}

const TOKENS: Readonly<Record<TokenProblem, string>> = {
  missing: 'No access token was sent.',
  'not bearer': 'An Authorization header was sent, but no access token behind the scheme Bearer in it.',
  invalid: 'The access token is not a good one.',
  expired: 'The access token had expired.',
  'unknown client': 'The client of the access token did not exist.',
  'unknown principal': 'The principal of the access token did not exist.',
  'no principal': 'The access token says no principal.',
  'no scope': 'The access token lacks the scope.',
  'no principal and no scope': 'The access token says no principal and lacks the scope.',
};

const CURSORS = {
  malformed: 'The cursor is none that this service issued in this world.',
  'other list': 'The cursor belongs to another list.',
  'at the end': 'Nothing came after the cursor: the list ended there.',
} as const;

function expiry(evidence: Extract<Evidence, { cause: 'token' }>): string {
  const { expiresAt, validFrom } = evidence.token ?? {};
  if (evidence.problem === 'expired' && expiresAt !== undefined) return ` It was good until ${expiresAt}.`;
  return evidence.problem === 'invalid' && validFrom !== undefined ? ` It is good from ${validFrom}.` : '';
}

export function levelsInWords({ experienceId, providerLevel, accountId, principalLevel, effectiveLevel }: Levels): string {
  const sides = [
    ...(providerLevel === undefined ? [] : [`the provider had the level ${providerLevel} on the Experience ${experienceId}`]),
    ...(principalLevel === undefined ? [] : [`the principal had the level ${principalLevel} on the account ${accountId}`]),
  ];
  const [first = 'nobody was asked', ...rest] = sides;
  const effective = rest.length === 0 ? '' : `, which makes ${effectiveLevel}`;
  return `${first.charAt(0).toUpperCase()}${[first, ...rest].join(' and ').slice(1)}${effective}.`;
}

function emptyInWords({ of, accountId, total, matching, hidden }: Extract<Evidence, { cause: 'empty list' }>): string {
  const where = accountId === undefined ? 'The target' : `The account ${accountId}`;
  const [why] = hidden;
  if (why !== undefined) return `${counted(matching, of.slice(0, -1))} matched, out of the caller's sight. ${levelsInWords(why)}`;
  if (total === 0) return `${where} had no ${of} at all.`;
  return `${where} had ${counted(total, of.slice(0, -1))}, none of which the filters left.`;
}

const counted = (count: number, singular: string): string => `${count} ${singular}${count === 1 ? '' : 's'}`;
