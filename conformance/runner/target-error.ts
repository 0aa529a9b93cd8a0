/** The target cannot be tested because of an error in its description, such as a profile. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
