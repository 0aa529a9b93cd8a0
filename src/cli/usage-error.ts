export { UsageError } from '../control-client/errors.ts';
