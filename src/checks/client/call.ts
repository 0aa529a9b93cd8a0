import type { components } from '../../contract/generated/control.ts';

/**
 * A journal entry: the client's request to the service or its authorization server, and the response. The checks read the entries in
 * ascending order of `number`, which is the order in which the kit sent the responses.
 */
export type Call = components['schemas']['JournalEntry'];
