import type { Wanted } from '../actors/inbox.ts';

/** The event that tells what happened to a connection. */
export function ofConnection(happened: 'created' | 'activated' | 'deactivated' | 'deleted', connectionId: string): Wanted {
  return { type: `experience.connection.${happened}`, data: { connectionId } };
}

/** The event that tells what happened to an assignment. */
export function ofAssignment(happened: 'created' | 'deleted', assignmentId: string): Wanted {
  return { type: `experience.assignment.${happened}`, data: { assignmentId } };
}

/** The event that tells what happened to a user, of whatever Experience. @param userId the unified id */
export function ofUser(happened: 'created' | 'deleted', userId: string): Wanted {
  return { type: `provisioning.user.${happened}`, data: { userId } };
}
