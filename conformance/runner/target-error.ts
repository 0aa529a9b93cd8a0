/** Thrown if a mistake in the target's description, such as the profile, prevents tests. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
