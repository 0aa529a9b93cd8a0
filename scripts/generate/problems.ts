/** What is wrong with the contract, told all at once: a generator that stops at the first mistake is run once for each. */
export class Problems {
  private readonly found: string[] = [];

  add(place: string, problem: string): void {
    this.found.push(`${place}: ${problem}`);
  }

  /** Throws an Error with every problem on a line of its own, if there is one. */
  throwIfAny(): void {
    if (this.found.length > 0) throw new Error(`the contract has mistakes:\n  ${this.found.join('\n  ')}`);
  }
}
