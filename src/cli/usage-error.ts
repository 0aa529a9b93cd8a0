/** An error in the command line. The exit status is 2, because a second try with the same command line would fail again. */
export { UsageError } from '../sdk/errors.ts';
