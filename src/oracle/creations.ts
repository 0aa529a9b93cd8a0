import type { OperationId } from '../contract/generated/operations.ts';
import { traverse } from './listing.ts';
import { getServer, LEEWAY_MS, type Pair, pause, RETRY_MS, report, Undecided } from './pair.ts';
import { type Answer, isSuccess, type SideIndex } from './side.ts';
import type { Step } from './steps.ts';
import { UNKNOWN_EXPERIENCE } from './surroundings.ts';
import type { World } from './world.ts';

interface Result {
  readonly answer: Answer;
  /** Empty if the answer does not show it. */
  readonly id: string;
}

/** What a sequence creates at both sides. */
export class Creations {
  /** Whether a side has created something that it should have refused to create. */
  hasStrays = false;
  private readonly pair: Pair;
  private readonly world: World;
  private readonly created: { readonly side: SideIndex; readonly kind: Step['kind']; readonly id: string }[] = [];

  constructor(pair: Pair, world: World) {
    this.pair = pair;
    this.world = world;
  }

  /** @returns the id of what the step has created */
  async record(side: SideIndex, step: Step, { answer, id }: Result): Promise<string> {
    const own = id || (step.kind === 'create connection' ? await this.findConnection(side, step, answer.status === ACCEPTED) : '');
    this.created.push({ side, kind: step.kind, id: own });
    return own;
  }

  /** @returns the state of a connection that the target has created */
  async readState({ id, answer }: Result, step: Step): Promise<string | undefined> {
    const isAccepted = answer.status === ACCEPTED;
    const path = { experienceConnectionId: id || (await this.findConnection(0, step, isAccepted)) };
    const deadline = performance.now() + (isAccepted ? this.pair.acceptedMs : 0);
    for (;;) {
      const read = await this.pair.target.call('getExperienceConnection', { path, as: 'manager', form: this.pair.form });
      if (isSuccess(read) || performance.now() > deadline) return (read.json as { state?: string } | undefined)?.state;
      await pause(RETRY_MS);
    }
  }

  /** Finds a new connection in the list, because the specification does not show the response of its creation. */
  private async findConnection(side: SideIndex, { account = '', experience = '' }: Step, isAccepted: boolean): Promise<string> {
    const query = this.pair.names.resolve(side, { accountId: account, experienceId: experience });
    const deadline = performance.now() + (this.pair.listLagMs ?? 0) + (isAccepted ? this.pair.acceptedMs : LEEWAY_MS);
    for (;;) {
      const isLast = performance.now() > deadline;
      const entities = await this.list(side, 'getExperienceConnections', query);
      if (entities === undefined) throw new Undecided();
      const id = entities.find((each) => (each.experienceId ?? query.experienceId).toLowerCase() === query.experienceId.toLowerCase())?.id;
      if (id !== undefined) return id;
      if (isLast)
        report(this.pair, {
          rule: 'connections.create.listed',
          message: `Expected the new connection in the list. Listed: ${JSON.stringify(entities)}`,
        });
      await pause(RETRY_MS);
    }
  }

  /** @returns undefined if the list is refused */
  private async list(side: SideIndex, operation: OperationId, query: Readonly<Record<string, string>>) {
    const listing = await traverse(getServer(this.pair, side), operation, { query, as: 'manager', form: this.pair.form });
    return 'status' in listing ? undefined : (listing.entities as readonly { readonly id?: string; readonly experienceId?: string }[]);
  }

  /** Removes assignments and connections through the API, and everything else as the operator. */
  async cleanUp(): Promise<void> {
    if (this.hasStrays) await this.removeStrays();
    for (const kind of CLEANUP_ORDER)
      await Promise.all(this.created.flatMap((each) => (each.kind === kind ? this.remove(each.side, kind, each.id) : [])));
  }

  /** Removes every assignment and connection between the accounts and the Experiences that the sequences use. */
  private async removeStrays(): Promise<void> {
    const { cast, names, listLagMs = 0 } = this.pair;
    await pause(listLagMs);
    for (const side of [0, 1] as const)
      for (const [kind, operation] of [
        ['create assignment', 'getExperienceAssignments'],
        ['create connection', 'getExperienceConnections'],
      ] as const)
        for (const account of this.world.accounts)
          for (const { id, experienceId } of (await this.list(side, operation, names.resolve(side, { accountId: account }))) ?? []) {
            const experience = names.findName(side, experienceId);
            const occupied = cast.occupied.get(account);
            const isOurs = experience !== undefined && !occupied?.has(experience) && !occupied?.has(UNKNOWN_EXPERIENCE);
            if (isOurs && id !== undefined) await this.remove(side, kind, id);
          }
  }

  private async remove(side: SideIndex, kind: keyof typeof REMOVALS, id: string): Promise<void> {
    const server = getServer(this.pair, side);
    const removal = REMOVALS[kind];
    const removing =
      'operation' in removal
        ? server.call(removal.operation, { path: { [removal.parameter]: id }, as: 'manager', form: this.pair.form })
        : server.act(removal.actions.find((action) => this.pair.cast.actions.has(action))!, [id]);
    // Most of it is already gone, and what remains the target's own cleanup reports.
    await removing.catch(() => {});
  }
}

const REMOVALS = {
  'create assignment': { operation: 'deleteExperienceAssignment', parameter: 'assignmentId' },
  'create connection': { operation: 'deleteExperienceConnection', parameter: 'experienceConnectionId' },
  'create user': { actions: ['platform.users.remove', 'portal.users.remove'] },
  'create number': { actions: ['platform.numbers.remove'] },
  'create account': { actions: ['platform.accounts.remove'] },
} as const;
const CLEANUP_ORDER = ['create assignment', 'create connection', 'create user', 'create number', 'create account'] as const;
const ACCEPTED = 202;
