/** `seen`: the caller sees it, and nothing shows that it may not manage it. */
export type Level = 'none' | 'seen' | 'read' | 'manage';
type Kind = 'accounts' | 'experiences';

/** What one access token may do with accounts and Experiences, as far as answers have shown it. */
export class LearnedAccess {
  readonly accounts = new Map<string, Level>();
  readonly experiences = new Map<string, Level>();
  /** Whether the token has a scope. */
  readonly scopes = new Map<string, boolean>();

  /** Whether an answer has shown that the caller sees it. */
  sees(kind: Kind, id: string): boolean {
    return (this[kind].get(id) ?? 'none') !== 'none';
  }

  recordSeen(kind: Kind, id: string): void {
    if (!this.sees(kind, id)) this[kind].set(id, 'seen');
  }

  recordManaged(accountId: string, experienceId: string): void {
    this.accounts.set(accountId, 'manage');
    this.experiences.set(experienceId, 'manage');
  }

  /** Records that a change was refused with 403. The answer does not say which of the two may only be read. */
  recordReadOnly(accountId: string, experienceId: string): void {
    if (this.experiences.get(experienceId) === 'manage') this.accounts.set(accountId, 'read');
    else this.experiences.set(experienceId, 'read');
  }

  recordHidden(kind: Kind, id: string): void {
    if (!this.sees(kind, id)) this[kind].set(id, 'none');
  }

  /** Adds another token's access, unless the two contradict each other. @returns whether it was added */
  merge(other: LearnedAccess): boolean {
    const kinds = ['accounts', 'experiences'] as const;
    const contradicts = (kind: Kind) =>
      [...other[kind]].some(([id, level]) => this[kind].has(id) && getAccess(this[kind].get(id)!) !== getAccess(level));
    const hasOtherScopes = [...other.scopes].some(([scope, has]) => this.scopes.has(scope) && this.scopes.get(scope) !== has);
    if (hasOtherScopes || kinds.some(contradicts)) return false;
    for (const [scope, has] of other.scopes) this.scopes.set(scope, has);
    for (const kind of kinds) for (const [id, level] of other[kind]) this[kind].set(id, level);
    return true;
  }
}

/** The level of a world file. Whoever sees something may manage it, unless an answer has shown otherwise. */
export const getAccess = (level: Level): 'none' | 'read' | 'manage' => (level === 'seen' ? 'manage' : level);
