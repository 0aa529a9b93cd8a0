/** The target cannot be tested as it is described. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
