/** An error in the command line. The exit status is 2. */
export { UsageError } from '../control-client/errors.ts';
