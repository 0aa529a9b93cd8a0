import type { Transaction } from 'kysely';
import { because, type Evidence } from '../../contract/evidence.ts';
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
import { tooLow, unknown as unknownId } from '../judged.ts';
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
    if (violation?.table === 'connections' && violation.columns.includes('account_id')) return existing(context, input);
    // One of the two was deleted in between.
    if (isForeignKeyViolation(error)) return unknown('account or Experience', 'accountId', unknownId('account', input.accountId));
    throw error;
  }
}

async function create(tx: Transaction<Tables>, context: ServiceContext, actor: Actor, input: NewConnection) {
  const experience = await experienceAccess.first(tx, { id: input.experienceId, providerId: providerOf(actor) });
  if (!experience) return unknown('Experience', 'experienceId', unknownId('experience', input.experienceId));
  if (experienceLevel(actor, experience.level) === NONE)
    return unknown('Experience', 'experienceId', tooLow(actor, 'manage', { experience }));
  const account = await accountAccess.first(tx, { id: input.accountId, principalId: principalOf(actor) });
  if (!account) return unknown('account', 'accountId', unknownId('account', input.accountId));
  const sides = { experience, account: { id: input.accountId, level: account.level } };
  if (accountLevel(actor, account.level) === NONE) return unknown('account', 'accountId', tooLow(actor, 'manage', sides));
  if (effectiveLevel(actor, { experience: experience.level, account: account.level }) < MANAGE) {
    const readOnly = refuse(403, 'connections.create.read-only', 'The caller may not create a connection here.');
    return because(readOnly, tooLow(actor, 'manage', sides));
  }
  await lockAccount(tx, input.accountId);
  const present = await connectionOf.first(tx, input);
  if (present) return exists(present.id);

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
  if (state === 'INACTIVE' && context.decisions['connections.create.deactivated-event'] === 'yes')
    events.push(connectionEvent('deactivated', entity, owner));
  await publish(tx, context, events, updatedAt);
  return { connection: entity };
}

function unknown(what: string, member: string, evidence: Evidence) {
  const refusal = decided('connections.create.unknown-account-or-experience', `The ${what} is not known.`, [
    { pointer: `/${member}`, message: 'names nothing that the caller can use here' },
  ]);
  return because(refusal, evidence);
}

/** Another writer was first. */
async function existing({ store }: ServiceContext, input: NewConnection) {
  return exists((await connectionOf.first(store.db, input))?.id ?? '');
}

function exists(connectionId: string) {
  const refusal = refuse(409, 'connections.create.exists', 'A connection of this account to this Experience already exists.');
  return because(refusal, { cause: 'connection exists', connectionId });
}
