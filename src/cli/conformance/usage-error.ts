/** A command that cannot be run as it was given: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
