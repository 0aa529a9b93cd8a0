import { getArrivalMs, getResponseEndMs } from '../../client/history.ts';
import { type Exchange, getEntities, getJson, type Json, normalize, succeeds } from '../exchange.ts';
import { isList } from '../lists.ts';
import { findEntity, getKind, type Kind, readIds, type Sighting } from './entities.ts';

/** An entity as it was last seen. */
export interface Known {
  readonly kind: Kind;
  readonly id: string;
  readonly members: Json;
  /** The response that showed it. */
  readonly exchange: Exchange;
  /** The end of the response that showed it first, in milliseconds. */
  readonly since: number;
  /** The end of the response that showed its updatedAt first, in milliseconds. */
  readonly unchangedSince: number;
  readonly callers: ReadonlySet<string>;
  /** Whether a later response contradicts it. */
  isDoubtful: boolean;
}

/** A list that was read from its first to its last page. */
export interface Listing {
  readonly kind: Kind;
  readonly filters: Json;
  readonly entities: ReadonlySet<string>;
  readonly pages: readonly Exchange[];
}

const MAX_LISTINGS = 1000;

export const callerOf = ({ call: { credential }, token }: Exchange): string =>
  credential?.clientId === undefined ? (token ?? '') : `${credential.clientId} ${credential.principalId}`;

/** What is known of a service: its entities by id, the accounts of telephone numbers, and the latest complete lists. */
export class Memory {
  private readonly entities = new Map<string, Known>();
  private readonly numbers = new Map<string, string>();
  /** Lists that are being read, by the request for the next page. */
  private readonly partial = new Map<string, readonly Exchange[]>();
  private listings: Listing[] = [];
  private readonly successes = new Set<string>();
  private readonly creations = new Map<string, Exchange>();
  private readonly updated = new Set<string>();
  /** When something was last created in an account, in milliseconds, and the accounts that somebody else changes, too. */
  private readonly created = new Map<string, number>();
  /** When each caller has last seen something of an account and an Experience, in milliseconds. */
  private readonly accesses = new Map<string, number>();
  private readonly shared = new Set<string>();

  get(kind: Kind | undefined, id: unknown): Known | undefined {
    return this.entities.get(`${kind} ${normalize(id)}`);
  }

  find(kind: Kind, members: Json): readonly Known[] {
    return [...this.entities.values()].filter((each) => each.kind === kind && !each.isDoubtful && matches(each.members, members));
  }

  see({ kind, id, members, exchange }: Sighting): void {
    const key = `${kind} ${id}`;
    if (members === undefined) return void this.entities.delete(key);
    const known = this.entities.get(key);
    const callers = new Set([...(known?.callers ?? []), callerOf(exchange)]);
    const since = known?.since ?? getEnd(exchange);
    const isSame = known !== undefined && members.updatedAt !== undefined && members.updatedAt === known.members.updatedAt;
    const unchangedSince = isSame ? known.unchangedSince : getEnd(exchange);
    const all = { ...known?.members, updatedAt: undefined, ...members };
    this.entities.set(key, { kind, id, members: all, exchange, since, unchangedSince, callers, isDoubtful: false });
    const { targetType, targetValue, accountId } = members;
    if (targetType === 'PHONE_NUMBER') this.numbers.set(normalize(targetValue), normalize(accountId));
  }

  /** Records that a caller has seen an entity. */
  recordAccess({ members, exchange }: Sighting): void {
    for (const each of [members, members && { accountId: members.accountId }]) {
      const access = toAccess(callerOf(exchange), each);
      if (access !== undefined) this.accesses.set(access, getEnd(exchange));
    }
  }

  /** Whether the caller has seen an entity of the account, and of the Experience if it is given, shortly before. */
  hadAccess(each: Exchange, members: Json, ms: number): boolean {
    const seen = this.accesses.get(toAccess(callerOf(each), members) ?? '');
    return seen !== undefined && getStart(each) - seen < ms;
  }

  /** Whether the caller has sent the same body before, with success. */
  hasSucceeded(each: Exchange): boolean {
    return this.successes.has(toBodyKey(each));
  }

  /** Records a successful request that creates or updates an entity. */
  recordSuccess(each: Exchange): void {
    this.successes.add(toBodyKey(each));
    const id = normalize(each.operation.startsWith('create') ? findEntity(each.answer.json)?.id : undefined);
    if (id !== '') this.creations.set(id, each);
    if (each.operation.startsWith('create')) this.created.set(this.accountOf(each) ?? '', getEnd(each));
    if (each.operation.startsWith('update')) this.updated.add(normalize(each.id));
  }

  getCreation(id: unknown): Exchange | undefined {
    return this.creations.get(normalize(id));
  }

  isUpdated(id: unknown): boolean {
    return this.updated.has(normalize(id));
  }

  forget(kind: Kind | undefined, id: unknown): void {
    this.entities.delete(`${kind} ${normalize(id)}`);
  }

  /** Sets the state that an update has requested. The response need not show it. */
  setState(known: Known, state: unknown, exchange: Exchange): void {
    if (known.exchange === exchange && known.members.state === state) return;
    const { updatedAt: _, ...members } = known.members;
    this.entities.set(`${known.kind} ${known.id}`, { ...known, members: { ...members, state }, exchange });
  }

  /** The account that a request is about; undefined if it is not known. */
  accountOf(each: Exchange): string | undefined {
    const { accountId, targetType, targetValue } = { ...Object.fromEntries(each.query), ...readIds(each) } as Json;
    const number = each.query.get('telephoneNumber') ?? each.query.get('tn') ?? (targetType === 'PHONE_NUMBER' ? targetValue : undefined);
    if (accountId !== undefined) return normalize(accountId);
    if (targetType === 'ACCOUNT') return normalize(targetValue);
    if (targetType === 'USER') return normalize(this.get('user', targetValue)?.members.accountId) || undefined;
    if (number !== undefined) return this.numbers.get(normalize(number));
    const { members = getJson(each) } = this.get(getKind(each), each.id) ?? {};
    return normalize(members.accountId) || undefined;
  }

  /** Whether the cursor is one that the page before contained. */
  isNextPage(each: Exchange): boolean {
    const { list, cursor } = readPageRequest(each);
    return this.partial.has(`${list} ${cursor}`);
  }

  /** @returns the list whose last page this is */
  read(each: Exchange): Listing | undefined {
    const kind = getKind(each);
    if (kind === undefined || !isList(each) || !succeeds(each) || !each.isWhole) return undefined;
    const { list, cursor } = readPageRequest(each);
    const before = cursor === undefined ? [] : this.partial.get(`${list} ${cursor}`);
    if (before === undefined) return undefined;
    const pages = [...before, each];
    this.partial.delete(`${list} ${cursor}`);
    if (this.partial.size > MAX_LISTINGS) this.partial.clear();
    const next = getJson(each).cursor ?? null;
    if (next !== null) {
      this.partial.set(`${list} ${String(next)}`, pages);
      return undefined;
    }
    const found = pages.flatMap((page) => getEntities(page));
    const filters = this.toFilters(each, found);
    if (filters === undefined) return undefined;
    const entities = new Set(found.map(({ id }) => normalize(id)));
    const listing = { kind, filters, entities, pages };
    this.listings = [listing, ...this.listings].slice(0, MAX_LISTINGS);
    return listing;
  }

  /** Records that somebody else has changed something in an account. */
  share(accountId: unknown): void {
    this.shared.add(normalize(accountId));
  }

  isShared(accountId: unknown): boolean {
    return this.shared.has(normalize(accountId));
  }

  /** Returns the latest complete list that would contain an entity with these members, if nothing was created in the account since. */
  findListing(kind: Kind, members: Json, caller: string, account: string): Listing | undefined {
    const since = Math.max(this.created.get(account) ?? 0, this.created.get('') ?? 0);
    const isUsable = ({ pages: [first] }: Listing) => callerOf(first!) === caller && getStart(first!) > since;
    return this.listings.find((each) => each.kind === kind && matches(members, each.filters) && isUsable(each));
  }

  /** Whether a complete list has shown that an entity did not exist. */
  wasAbsent({ kind, id, members }: Sighting): boolean {
    return this.listings.some((each) => each.kind === kind && matches(members ?? {}, each.filters) && !each.entities.has(id));
  }

  /** A number may move to another account. So only what a list contains shows of which account it is. */
  private toFilters({ query }: Exchange, entities: readonly Json[]): Json | undefined {
    const { cursor: _, pageSize: __, sortBy: ___, sortOrder: ____, telephoneNumber, tn, ...filters } = Object.fromEntries(query);
    const number = telephoneNumber ?? tn;
    if (number === undefined || filters.accountId !== undefined) return filters;
    const [accountId, ...others] = new Set(entities.map((entity) => normalize(entity.accountId)));
    return accountId && others.length === 0 ? { ...filters, accountId } : undefined;
  }
}

function readPageRequest(each: Exchange): { readonly list: string; readonly cursor: string | undefined } {
  const { cursor, pageSize: _, ...query } = Object.fromEntries(each.query);
  return { list: `${each.operation} ${JSON.stringify(query)} ${callerOf(each)}`, cursor };
}

/** What a caller must be permitted to see; undefined if the caller or the entity is not known: a file may lack the headers. */
export const toAccess = (caller: string, members: Json | undefined): string | undefined =>
  caller === '' || members === undefined ? undefined : [caller, members.accountId, members.experienceId].map(normalize).join(' ');

const toBodyKey = (each: Exchange): string => `${each.operation} ${callerOf(each)} ${JSON.stringify(each.call.request?.body)}`;

export const matches = (members: Json, wanted: Json): boolean =>
  Object.entries(wanted).every(([name, value]) => normalize(members[name]) === normalize(value));

export const getStart = ({ call }: Exchange): number => getArrivalMs(call);
export const getEnd = ({ call }: Exchange): number => getResponseEndMs(call);
