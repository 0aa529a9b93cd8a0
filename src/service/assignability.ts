import { because, type Evidence } from '../contract/evidence.ts';
import { refuse } from '../contract/outcome.ts';
import { type Actor, experienceLevel, MANAGE, NONE, READ } from '../domain/access.ts';
import { type ExperienceAccess, experienceAccess } from '../store/access.ts';
import { assignmentsOfTarget } from '../store/assignments.ts';
import type { TargetType } from '../store/schema.ts';
import { takenBy } from './assignments/taken.ts';
import type { ServiceContext } from './context.ts';
import { tooLow, unknown } from './judged.ts';
import { findTarget, providerOf } from './target.ts';

export interface AssignabilityQuery {
  readonly targetType: TargetType;
  readonly targetValue: string;
}

/** GET /experience/experiences/{experienceId}/assignability. */
export async function checkAssignability(context: ServiceContext, actor: Actor, experienceId: string, query: AssignabilityQuery) {
  const experience = await experienceAccess.first(context.store.db, { id: experienceId, providerId: providerOf(actor) });
  const level = experience ? experienceLevel(actor, experience.level) : NONE;
  if (!experience || level === NONE) {
    const hidden = experience ? tooLow(actor, 'manage', { experience }) : unknown('experience', experienceId);
    return because(refuse(404, 'assignability.not-found', 'There is no such Experience.'), hidden);
  }
  if (level === READ) {
    const readOnly = refuse(403, 'assignability.read-only', 'The Experience may be read, but not its assignability checked.');
    return because(readOnly, tooLow(actor, 'manage', { experience }));
  }
  const { targetType, targetValue } = query;
  const { assignable, evidence } = await judge(context, actor, experience, query);
  return { body: { experienceId: experience.id, targetType, targetValue, assignable }, evidence };
}

const ASSIGNABLE: Judged = { assignable: true };
const NAMES = { ACCOUNT: 'account', PHONE_NUMBER: 'telephone number', USER: 'user' } as const;

interface Judged {
  readonly assignable: boolean;
  /** Why not. */
  readonly evidence?: Evidence;
}

async function judge(context: ServiceContext, actor: Actor, experience: ExperienceAccess, query: AssignabilityQuery): Promise<Judged> {
  const { targetType, targetValue } = query;
  const { decisions, store } = context;
  const target = await findTarget(store.db, actor, targetType, targetValue);
  if (!target) return { assignable: false, evidence: unknown(NAMES[targetType], targetValue) };
  if (target.level < MANAGE) {
    const account = { id: target.accountId, level: target.level };
    if (decisions['assignability.hidden-target']) return ASSIGNABLE;
    return { assignable: false, evidence: tooLow(actor, 'manage', { experience, account }) };
  }
  const taken = await assignmentsOfTarget(store.db, { targetType, targetValue });
  if (taken.length === 0) return ASSIGNABLE;
  const same = taken.some((row) => row.experience_id === experience.id);
  const conflict = experience.type === 'AGENT' && taken.some((row) => row.agent_number !== null);
  if (!same && !conflict) return ASSIGNABLE;
  const assignable = decisions[same ? 'assignability.already-assigned' : 'assignability.agent-conflict'];
  return assignable ? ASSIGNABLE : { assignable, evidence: await takenBy(store.db, experience.id, query) };
}
