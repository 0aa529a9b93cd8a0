/** Thrown if no tests can run because the target is described wrongly, for example in the profile. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
