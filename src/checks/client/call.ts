import type { components } from '../../contract/generated/control.ts';

/**
 * A journal entry: a request from the client to the service or the authorization server, and the response. The checks read entries by
 * ascending `number`, which is the order in which the kit sent the responses.
 */
export type Call = components['schemas']['JournalEntry'];
