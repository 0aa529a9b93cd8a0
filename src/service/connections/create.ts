import type { Transaction } from 'kysely';
import { decided, refuse } from '../../contract/outcome.ts';
import { type Actor, accountLevel, effectiveLevel, experienceLevel, MANAGE, NONE } from '../../domain/access.ts';
import { connectionEvent } from '../../domain/events.ts';
import { instant } from '../../domain/instants.ts';
import { accountAccess, experienceAccess } from '../../store/access.ts';
import { connectionOf, insertConnection } from '../../store/connections.ts';
import type { ConnectionState, Tables } from '../../store/schema.ts';
import { lockAccount } from '../../store/store.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../store/violations.ts';
import type { ServiceContext } from '../context.ts';
import { publish } from '../publish.ts';
import { principalOf, providerOf } from '../target.ts';
import { type Connection, connectionFrom } from './entity.ts';

export interface NewConnection {
  readonly accountId: string;
  readonly experienceId: string;
  readonly state?: ConnectionState | undefined;
  /** The name it is kept under; its id when left out. */
  readonly alias?: string | undefined;
}

/** POST /experience/connections. The order of the lines is the precedence of the refusals. */
export async function createConnection(context: ServiceContext, actor: Actor, input: NewConnection) {
  try {
    return await context.store.write((tx) => create(tx, context, actor, input));
  } catch (error) {
    const violation = uniqueViolation(error);
    if (violation?.table === 'connections' && violation.columns.includes('account_id')) return exists();
    // One of the two was deleted in between.
    if (isForeignKeyViolation(error)) return unknown('account or Experience', 'accountId');
    throw error;
  }
}

async function create(tx: Transaction<Tables>, context: ServiceContext, actor: Actor, input: NewConnection) {
  const experience = await experienceAccess.first(tx, { id: input.experienceId, providerId: providerOf(actor) });
  if (!experience || experienceLevel(actor, experience.level) === NONE) return unknown('Experience', 'experienceId');
  const account = await accountAccess.first(tx, { id: input.accountId, principalId: principalOf(actor) });
  if (!account || accountLevel(actor, account.level) === NONE) return unknown('account', 'accountId');
  if (effectiveLevel(actor, { experience: experience.level, account: account.level }) < MANAGE) {
    return refuse(403, 'connections.create.read-only', 'The caller may not create a connection here.');
  }
  await lockAccount(tx, input.accountId);
  if (await connectionOf.first(tx, input)) return exists();

  const state = input.state ?? context.decisions['connections.create.initial-state'];
  const updatedAt = instant(context.clock.now());
  const id = context.ids.uuid();
  const entity: Connection = connectionFrom({
    id,
    account_id: input.accountId,
    account_name: account.name,
    experience_id: experience.id,
    state,
    updated_at: updatedAt,
  });
  await insertConnection(tx, { id, alias: input.alias ?? id, accountId: input.accountId, experienceId: experience.id, state, updatedAt });
  const owner = { id: experience.id, name: experience.name, providerId: experience.provider_id };
  const events = [connectionEvent('created', entity, owner)];
  if (state === 'ACTIVE' && context.decisions['connections.create.activated-event'] === 'yes')
    events.push(connectionEvent('activated', entity, owner));
  await publish(tx, context, events, updatedAt);
  return { connection: entity };
}

function unknown(what: string, member: string) {
  return decided('connections.create.unknown-account-or-experience', `The ${what} is not known.`, [
    { pointer: `/${member}`, message: 'names nothing that the caller can use here' },
  ]);
}

function exists() {
  return refuse(409, 'connections.create.exists', 'A connection of this account to this Experience already exists.');
}
