import type { components } from '../../contract/generated/control.ts';

/**
 * A request of the client to the service or its authorization server, with the response: an entry of the journal. The checks read the
 * entries in ascending order of `number`: the order in which the kit sent the responses.
 */
export type Call = components['schemas']['JournalEntry'];
