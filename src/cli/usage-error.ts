/** The command line is not valid, so it fails until it is changed. The exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
