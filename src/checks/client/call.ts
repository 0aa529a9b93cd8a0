import type { components } from '../../contract/generated/control.ts';

/** A journal entry: a client's request and the response. `number` ascends in the order of the responses. */
export type Call = components['schemas']['JournalEntry'];
