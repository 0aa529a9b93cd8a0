import type { Inbox, Wanted } from '../actors/inbox.ts';
import { notTestable } from '../target/not-testable.ts';
import { unlessBroken } from './broken.ts';

/** The twin of an absence: waits for an event that is to come. Where it does not, the absence says nothing, and the check ends as not testable. */
export async function hears(inbox: Inbox, wanted: Wanted): Promise<void> {
  await inbox.event(wanted).catch(unlessBroken(({ message }) => notTestable(`an event that is to come: ${message}`)));
}
