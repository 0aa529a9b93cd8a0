import type { Evidence } from '../../../contract/evidence.ts';
import type { Case } from '../case.ts';
import { errorsIn } from '../parts.ts';
import { grants } from './access.ts';
import type { Change } from './change.ts';
import { connect, otherState, removeAssignments, removeConnection, removeFault, wait } from './conflicts.ts';
import { withQuery } from './edit.ts';
import { otherValues, plainQuery, readableBodies } from './invalid.ts';
import { fill, withoutCursor } from './lists.ts';
import { nearestPath, otherMethod } from './routes.ts';
import { otherTokens } from './tokens.ts';
import { somethingKnown, unifiedId } from './unknown.ts';

/** What might have let the request succeed, the smallest first. */
export function changesOf(of: Case): Change[] {
  return of.evidence ? byState(of, of.evidence) : byReason(of);
}

function byState(of: Case, evidence: Evidence): Change[] {
  switch (evidence.cause) {
    case 'token':
      return otherTokens(of, evidence);
    case 'unknown':
      return somethingKnown(of, evidence);
    case 'id style unsupported':
      return unifiedId(of, evidence.value);
    case 'levels':
      return grants(of, evidence, evidence.needed);
    case 'already assigned':
      return removeAssignments([evidence.assignmentId]);
    case 'AGENT assignment':
      return removeAssignments(evidence.assignments.map(({ assignmentId }) => assignmentId));
    case 'numbers assigned':
      return removeAssignments(evidence.assignments.map(({ assignmentId }) => assignmentId));
    case 'no connection':
      return connect(of, evidence);
    case 'connection exists':
      return removeConnection(evidence);
    case 'present state':
      return otherState(evidence);
    case 'cursor':
      return withoutCursor(of);
    case 'empty list':
      return fill(of, evidence);
    case 'not shown yet':
      return [];
    case 'rate':
      return wait(evidence);
    case 'fault':
      return removeFault(evidence);
  }
}

/** What was judged on the request alone. */
function byReason(of: Case): Change[] {
  const { id, request, entry } = of;
  const errors = errorsIn(entry.response?.body);
  switch (id) {
    case 'http.unknown-route':
      return nearestPath(of);
    case 'http.method-not-allowed':
      return otherMethod(of);
    case 'http.duplicate-parameter':
      return plainQuery(of, errors, true);
    case 'http.unknown-parameter':
      return plainQuery(of, errors, false);
    case 'assignments.list.account-with-target':
      return [withQuery(request, { accountId: undefined })];
    case 'http.unknown-host':
      return [{ text: 'Send the Host that the kit was started for; others are let in by --allow-host.', request: {} }];
    case 'http.unsupported-media-type':
    case 'http.malformed-body':
      return readableBodies(of);
    default:
      return entry.step === 'body' && errors.every(({ pointer }) => pointer === '') ? readableBodies(of) : otherValues(of, errors);
  }
}
