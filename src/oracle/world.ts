import type { ActionName, TokenName } from './side.ts';

export interface Target {
  readonly name: string;
  readonly type: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
  /** The name of the account that owns the target. */
  readonly account: string;
  /** Names for the ids of a user in other infrastructures. */
  readonly nativeIds?: readonly string[];
}

export interface Connection {
  readonly name: string;
  readonly account: string;
  readonly experience: string;
  state: 'ACTIVE' | 'INACTIVE' | undefined;
}

export interface Assignment {
  readonly name: string;
  readonly experience: string;
  readonly target: Target;
}

/** What the profile provides: entities that no command deletes, and the actions that commands may use. */
export interface Cast {
  readonly accounts: readonly string[];
  readonly hiddenAccount: string | undefined;
  /** Experiences without connections that the commands did not create. */
  readonly experiences: readonly string[];
  readonly agents: readonly string[];
  /** The Experiences that commands may connect. */
  readonly connectable: readonly string[];
  /** For each account, the Experiences with which the target has connected it or to which it has assigned its targets before. */
  readonly occupied: ReadonlyMap<string, ReadonlySet<string>>;
  readonly readOnlyExperience: string | undefined;
  readonly hiddenExperience: string | undefined;
  readonly targets: readonly Target[];
  readonly hiddenUser: string | undefined;
  readonly tokens: readonly TokenName[];
  readonly oddTokens: ReadonlySet<TokenName>;
  /** Whether a request can choose the state of the connection that it creates. */
  readonly hasInitialState: boolean;
  readonly actions: ReadonlySet<ActionName>;
  /** Whether the authorization service can be made unreachable. */
  readonly canFailAuthorization: boolean;
  readonly sort: { readonly fields: readonly string[]; readonly orders: readonly string[] };
}

/** What the twin has, by name. `gone` lists what was deleted. */
export class World {
  /** The targets that the sequence has assigned. */
  readonly assigned = new Set<string>();
  readonly cast: Cast;
  readonly connections = new Map<string, Connection>();
  readonly assignments = new Map<string, Assignment>();
  /** Accounts, numbers and users that commands created. */
  readonly created = new Map<string, Target>();
  readonly gone = new Map<string, 'connection' | 'assignment' | 'user' | 'number' | 'account'>();
  /** What belongs to an account that a command created. What other principals than the manager see of it is open. */
  private readonly ofNewAccounts = new Set<string>();
  /** The firstName of users. */
  readonly renamed = new Map<string, string>();
  /** The account and the Experience of the latest step. */
  last: { readonly account?: string | undefined; readonly experience?: string | undefined } = {};
  /** The latest assignment to an AGENT Experience that is gone. */
  goneOfAgent: Assignment | undefined;

  constructor(cast: Cast) {
    this.cast = cast;
  }

  markAccount(name: string, account: string): void {
    if (!this.cast.accounts.includes(account)) this.ofNewAccounts.add(name);
  }

  isOfNewAccount(name: string): boolean {
    return this.ofNewAccounts.has(name);
  }

  get accounts(): readonly string[] {
    return [...this.cast.accounts, ...this.listCreated('ACCOUNT').map(({ name }) => name)];
  }

  get targets(): readonly Target[] {
    // The newest first, because commands choose the first ones more often.
    return [...[...this.created.values()].reverse(), ...this.cast.targets];
  }

  get experiences(): readonly string[] {
    return [...this.cast.experiences, ...this.cast.agents];
  }

  /** Another AGENT Experience, which may not have the same numbers. Undefined if the Experience is no AGENT, or the only one. */
  findRivalAgent(experience: string | undefined): string | undefined {
    const { agents } = this.cast;
    return agents.some((each) => each === experience) ? agents.find((each) => each !== experience) : undefined;
  }

  listCreated(type: Target['type']): Target[] {
    return [...this.created.values()].filter((target) => target.type === type);
  }

  /** Removes a connection, an assignment or a target, with what the specification says is deleted with it. */
  remove(name: string): void {
    const target = this.created.get(name);
    if (this.connections.delete(name)) this.gone.set(name, 'connection');
    const assignment = this.assignments.get(name);
    if (this.assignments.delete(name)) this.gone.set(name, 'assignment');
    if (assignment && this.cast.agents.includes(assignment.experience)) this.goneOfAgent = assignment;
    if (target === undefined) return;
    this.created.delete(name);
    this.gone.set(name, ({ USER: 'user', PHONE_NUMBER: 'number', ACCOUNT: 'account' } as const)[target.type]);
    for (const each of this.assignments.values()) if (each.target.name === name) this.remove(each.name);
    if (target.type !== 'ACCOUNT') return;
    for (const each of this.created.values()) if (each.account === name) this.remove(each.name);
    for (const each of this.connections.values()) if (each.account === name) this.remove(each.name);
  }
}
