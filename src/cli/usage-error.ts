/** An error in the command line. The exit status is 2, because a second try with the same command line would fail again. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
