import type { Transaction } from 'kysely';
import { decided, type Json, refuse } from '../../contract/outcome.ts';
import { type Actor, experienceLevel, MANAGE, NONE } from '../../domain/access.ts';
import { assignmentEvent } from '../../domain/events.ts';
import { instant } from '../../domain/instants.ts';
import { experienceAccess } from '../../store/access.ts';
import { assignmentsOfTarget, insertAssignment } from '../../store/assignments.ts';
import { connectionOf } from '../../store/connections.ts';
import type { Tables, TargetType } from '../../store/schema.ts';
import { lockAccount } from '../../store/store.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../store/violations.ts';
import type { ServiceContext } from '../context.ts';
import { publish } from '../publish.ts';
import { findTarget, providerOf } from '../target.ts';
import { type Assignment, assignmentJson } from './entity.ts';

export interface NewAssignment {
  readonly experienceId: string;
  readonly targetType: TargetType;
  readonly targetValue: string;
  /** The name it is kept under; its id when left out. */
  readonly alias?: string | undefined;
}

/** POST /experience/assignments. The order of the lines is the precedence of the refusals. */
export async function createAssignment(context: ServiceContext, actor: Actor, input: NewAssignment) {
  try {
    return await context.store.write((tx) => create(tx, context, actor, input));
  } catch (error) {
    // Two writers raced and this one lost at the database: the same answers as if it had come second.
    if (isForeignKeyViolation(error)) return unknownExperience();
    const violation = uniqueViolation(error);
    if (violation?.table !== 'assignments' || violation.columns.includes('alias')) throw error;
    return violation.columns.includes('agent_number') ? await judgeTaken(context, input) : duplicate(input);
  }
}

async function create(tx: Transaction<Tables>, context: ServiceContext, actor: Actor, input: NewAssignment) {
  const { targetType, targetValue } = input;
  const experience = await experienceAccess.first(tx, { id: input.experienceId, providerId: providerOf(actor) });
  const level = experience ? experienceLevel(actor, experience.level) : NONE;
  if (!experience || level === NONE) return unknownExperience();
  if (level < MANAGE) return decided('assignments.create.read-only-experience', 'The Experience may only be read.', at('experienceId'));

  const target = await findTarget(tx, actor, targetType, targetValue);
  if (!target || target.level === NONE) return unknownTarget(context, targetType, target !== undefined);
  if (target.level < MANAGE)
    return decided('assignments.create.read-only-target', 'The account of the target may only be read.', at('targetValue'));

  // Behind the lock the target may have been deleted: an assignment must not outlive what it is assigned to.
  if ((await lockAccount(tx, target.accountId)) && !(await findTarget(tx, actor, targetType, targetValue)))
    return unknownTarget(context, targetType, false);
  const taken = await assignmentsOfTarget(tx, { targetType, targetValue });
  if (taken.some((row) => row.experience_id === experience.id)) return duplicate(input);
  const agentNumber = experience.type === 'AGENT' && targetType === 'PHONE_NUMBER' ? targetValue : null;
  if (agentNumber !== null && taken.some((row) => row.agent_number !== null)) return agentNumberTaken();
  if (context.decisions['assignments.create.needs-connection'] !== 'no') {
    const connection = await connectionOf.first(tx, { accountId: target.accountId, experienceId: experience.id });
    if (!connection) return decided('assignments.create.needs-connection', 'The account has no connection to the Experience.');
  }

  const updatedAt = instant(context.clock.now());
  const id = context.ids.uuid();
  const entity: Assignment = { id, experienceId: experience.id, accountId: target.accountId, targetType, targetValue, updatedAt };
  const body: Json<Assignment> = { json: assignmentJson(entity) };
  await insertAssignment(tx, { ...entity, alias: input.alias ?? id, agentNumber, json: body.json });
  const owner = { id: experience.id, name: experience.name, providerId: experience.provider_id };
  await publish(tx, context, [assignmentEvent('created', entity, owner)], updatedAt);
  return { assignment: entity, body };
}

async function judgeTaken(context: ServiceContext, input: NewAssignment) {
  const taken = await assignmentsOfTarget(context.store.db, { targetType: input.targetType, targetValue: input.targetValue });
  return taken.some((row) => row.experience_id === input.experienceId) ? duplicate(input) : agentNumberTaken();
}

function unknownExperience() {
  return decided('assignments.create.unknown-experience', 'The Experience is not known.', at('experienceId'));
}

function duplicate({ targetType, targetValue }: NewAssignment) {
  return decided('assignments.create.duplicate', `The ${targetType} ${targetValue} is already assigned to this Experience.`);
}

function agentNumberTaken() {
  const why = 'The number is already assigned to another Experience of type AGENT.';
  return refuse(422, 'assignments.create.agent-number-taken', why, at('targetValue'));
}

function unknownTarget(context: ServiceContext, targetType: TargetType, exists: boolean) {
  const open = context.decisions['assignments.create.unknown-target'];
  // For a USER that does not exist 422 is documented, whatever was decided; one that cannot be seen is answered alike where the decision lets it.
  if (targetType === 'USER' && (!exists || open === 422)) {
    return refuse(422, 'assignments.create.unknown-user', 'The user is not known to the unified user store.', at('targetValue'));
  }
  return decided('assignments.create.unknown-target', `The ${targetType} is not known.`, at('targetValue'));
}

function at(member: string) {
  return [{ pointer: `/${member}`, message: 'names nothing that the caller can use here' }];
}
