/** An error in the command line. The exit status is 2, and the same command line fails again. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
