import type { Transaction } from 'kysely';
import { because, type Evidence, type Named } from '../../contract/evidence.ts';
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
import { tooLow, unknown } from '../judged.ts';
import { publish } from '../publish.ts';
import { findTarget, providerOf } from '../target.ts';
import { type Assignment, assignmentJson } from './entity.ts';
import { takenBy } from './taken.ts';

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
    if (isForeignKeyViolation(error)) return unknownExperience(unknown('experience', input.experienceId));
    const violation = uniqueViolation(error);
    if (violation?.table !== 'assignments' || violation.columns.includes('alias')) throw error;
    const { agentTaken, evidence } = await judgeTaken(context, input);
    return violation.columns.includes('agent_number') && agentTaken ? agentNumberTaken(evidence) : duplicate(input, evidence);
  }
}

async function create(tx: Transaction<Tables>, context: ServiceContext, actor: Actor, input: NewAssignment) {
  const { targetType, targetValue } = input;
  const experience = await experienceAccess.first(tx, { id: input.experienceId, providerId: providerOf(actor) });
  const level = experience ? experienceLevel(actor, experience.level) : NONE;
  if (!experience) return unknownExperience(unknown('experience', input.experienceId));
  if (level === NONE) return unknownExperience(tooLow(actor, 'manage', { experience }));
  if (level < MANAGE) {
    const refusal = decided('assignments.create.read-only-experience', 'The Experience may only be read.', at('experienceId'));
    return because(refusal, tooLow(actor, 'manage', { experience }));
  }

  const target = await findTarget(tx, actor, targetType, targetValue);
  if (!target) return unknownTarget(context, targetType, false, unknown(NAMES[targetType], targetValue));
  const owner = { experience, account: { id: target.accountId, level: target.level } };
  if (target.level === NONE) return unknownTarget(context, targetType, true, tooLow(actor, 'manage', owner));
  if (target.level < MANAGE) {
    const refusal = decided('assignments.create.read-only-target', 'The account of the target may only be read.', at('targetValue'));
    return because(refusal, tooLow(actor, 'manage', owner));
  }

  // Behind the lock the target may have been deleted: an assignment must not outlive what it is assigned to.
  if ((await lockAccount(tx, target.accountId)) && !(await findTarget(tx, actor, targetType, targetValue)))
    return unknownTarget(context, targetType, false, unknown(NAMES[targetType], targetValue));
  const taken = await assignmentsOfTarget(tx, { targetType, targetValue });
  if (taken.some((row) => row.experience_id === experience.id)) return duplicate(input, await takenBy(tx, experience.id, input));
  const agentNumber = experience.type === 'AGENT' && targetType === 'PHONE_NUMBER' ? targetValue : null;
  if (agentNumber !== null && taken.some((row) => row.agent_number !== null))
    return agentNumberTaken(await takenBy(tx, experience.id, input));
  if (context.decisions['assignments.create.needs-connection'] !== 'no') {
    const connection = await connectionOf.first(tx, { accountId: target.accountId, experienceId: experience.id });
    if (!connection) {
      const refusal = decided('assignments.create.needs-connection', 'The account has no connection to the Experience.');
      return because(refusal, { cause: 'no connection', accountId: target.accountId, experienceId: experience.id });
    }
  }

  const updatedAt = instant(context.clock.now());
  const id = context.ids.uuid();
  const entity: Assignment = { id, experienceId: experience.id, accountId: target.accountId, targetType, targetValue, updatedAt };
  const body: Json<Assignment> = { json: assignmentJson(entity) };
  await insertAssignment(tx, { ...entity, alias: input.alias ?? id, agentNumber, json: body.json });
  const facts = { id: experience.id, name: experience.name, providerId: experience.provider_id };
  await publish(tx, context, [assignmentEvent('created', entity, facts)], updatedAt);
  return { assignment: entity, body };
}

async function judgeTaken({ store }: ServiceContext, input: NewAssignment) {
  const evidence = await takenBy(store.db, input.experienceId, input);
  return { evidence, agentTaken: evidence.cause === 'AGENT assignment' };
}

const NAMES: Readonly<Record<TargetType, Named>> = { ACCOUNT: 'account', PHONE_NUMBER: 'telephone number', USER: 'user' };

function unknownExperience(evidence: Evidence) {
  return because(decided('assignments.create.unknown-experience', 'The Experience is not known.', at('experienceId')), evidence);
}

function duplicate({ targetType, targetValue }: NewAssignment, evidence: Evidence) {
  const why = `The ${targetType} ${targetValue} is already assigned to this Experience.`;
  return because(decided('assignments.create.duplicate', why), evidence);
}

function agentNumberTaken(evidence: Evidence) {
  const why = 'The number is already assigned to another Experience of type AGENT.';
  return because(refuse(422, 'assignments.create.agent-number-taken', why, at('targetValue')), evidence);
}

function unknownTarget(context: ServiceContext, targetType: TargetType, exists: boolean, evidence: Evidence) {
  const open = context.decisions['assignments.create.unknown-target'];
  // For a USER that does not exist 422 is documented, whatever was decided; one that cannot be seen is answered alike where the decision lets it.
  if (targetType === 'USER' && (!exists || open === 422)) {
    const why = 'The user is not known to the unified user store.';
    return because(refuse(422, 'assignments.create.unknown-user', why, at('targetValue')), evidence);
  }
  return because(decided('assignments.create.unknown-target', `The ${targetType} is not known.`, at('targetValue')), evidence);
}

function at(member: string) {
  return [{ pointer: `/${member}`, message: 'names nothing that the caller can use here' }];
}
