import { principalByNumber, principalList, principalsOfNumber } from '../../store/authorization.ts';
import type { Consent } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

export interface Principal {
  readonly id: string;
  readonly name: string;
  readonly consent: Consent;
}

/**
 * Who is meant by a login_hint: the principal that logs in with this number; else, as it is the number the user wants to use with the Experience, the
 * one who may do most with the account that owns it (of equals the first by alias).
 */
export async function principalOfNumber({ db }: Store, number: string): Promise<Principal | undefined> {
  return (await principalByNumber.first(db, { number })) ?? (await principalsOfNumber.first(db, { number }));
}

/** Where nobody says who is meant and nobody can be asked: the first by alias. */
export async function anyPrincipal({ db }: Store): Promise<Principal | undefined> {
  return principalList.first(db, {});
}
