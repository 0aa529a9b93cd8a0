import type { components } from '../../contract/generated/control.ts';

/**
 * A recorded request of the integration to the service or to its authorization server, with the response: an entry of the journal of a kit.
 * All checks of client calls read these entries, in ascending order of `number`, which is the order in which the responses were sent.
 */
export type Call = components['schemas']['JournalEntry'];
