import type { FixedScenario, Step } from './scenario.ts';

/** The deliveries of the step `later`. */
export const LATER_EVENTS = 144;

/** Deliveries and comparisons of a random sequence, on average. */
const SEQUENCE_UNITS = 25;

/** Foresees how long scenarios take, from the time that earlier ones needed for each delivery and comparison. */
export class TimePlan {
  readonly #limitMs: number;
  readonly #startedAt = performance.now();
  #units = 0;
  #ms = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get leftMs(): number {
    return this.#limitMs - (performance.now() - this.#startedAt);
  }

  record({ steps }: Pick<FixedScenario, 'steps'>, ms: number): void {
    this.#units += countUnits(steps);
    this.#ms += ms;
  }

  hasTimeFor({ steps }: Pick<FixedScenario, 'steps'>): boolean {
    return this.leftMs > this.#estimate(countUnits(steps));
  }

  /** How many of `count` random sequences fit into the remaining time. */
  limitSequences(count: number): number {
    return Math.min(count, Math.max(0, Math.floor(this.leftMs / Math.max(1, this.#estimate(SEQUENCE_UNITS)))));
  }

  /** Says what will be left out. Undefined if there is time for everything. */
  describe(scenarios: readonly FixedScenario[], sequences: number): string | undefined {
    let [left, fitting] = [this.leftMs, 0];
    for (const { steps } of scenarios) {
      const ms = this.#estimate(countUnits(steps));
      if (ms < left) [left, fitting] = [left - ms, fitting + 1];
    }
    const wholeMs = this.#estimate(scenarios.reduce((sum, { steps }) => sum + countUnits(steps), sequences * SEQUENCE_UNITS));
    if (wholeMs < this.leftMs) return undefined;
    const each = formatDuration(this.#estimate(1));
    return `A delivery or a comparison with the state takes ${each}, so the whole check would take about ${formatDuration(wholeMs)}. Within the time limit of ${formatDuration(this.#limitMs)}, it runs about ${fitting} of ${scenarios.length} more scenarios, and then random sequences if time remains. --time-limit changes this.`;
  }

  #estimate(units: number): number {
    return this.#units === 0 ? 0 : (units * this.#ms) / this.#units;
  }
}

function countUnits(steps: readonly Step[]): number {
  const created = new Set(steps.flatMap((step) => (step.step === 'change' ? step.entity : [])));
  return steps.reduce((sum, step) => {
    if (step.step === 'burst') return sum + step.sends.length;
    if (step.step === 'later') return sum + LATER_EVENTS;
    return step.step === 'change' ? sum : sum + 1;
  }, created.size);
}

function formatDuration(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.ceil(ms / 60_000)} min`;
}
