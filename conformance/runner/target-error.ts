/** Thrown if the target cannot be tested because of a mistake in its description, such as the profile. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
