/** The command line is not valid: it cannot succeed until it is changed. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
