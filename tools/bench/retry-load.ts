// Simulates delivery attempts to a subscriber that is down for a day: `node tools/bench/retry-load.ts [events per hour]`.
import { getNextPause } from '../../src/events/schedule.ts';

const MS_PER_HOUR = 3_600_000;
const OUTAGE_HOURS = 24;
const SIMULATED_HOURS = 48;

interface Hour {
  attempts: number;
  acknowledged: number;
  exhausted: number;
  /** The number of pending deliveries at the end of this hour. */
  waiting: number;
}

/** Simulates a subscriber that gets `perHour` events an hour for two days, but acknowledges none on the first day. */
function simulate(perHour: number, random: () => number = Math.random): readonly Hour[] {
  const hours = Array.from({ length: SIMULATED_HOURS }, (): Hour => ({ attempts: 0, acknowledged: 0, exhausted: 0, waiting: 0 }));
  for (let event = 0; event < perHour * SIMULATED_HOURS; event++) {
    const published = (event / perHour) * MS_PER_HOUR;
    let at = published;
    for (let attempts = 1; ; attempts++) {
      const hour = hours[Math.floor(at / MS_PER_HOUR)];
      if (hour === undefined) break;
      hour.attempts++;
      const pause = at < OUTAGE_HOURS * MS_PER_HOUR ? getNextPause('standard', { attempts, now: at }, random) : 'acknowledged';
      if (typeof pause !== 'number') {
        hour[pause ?? 'exhausted']++;
        break;
      }
      at += pause;
    }
    for (let hour = Math.floor(published / MS_PER_HOUR); hour < SIMULATED_HOURS && (hour + 1) * MS_PER_HOUR <= at; hour++)
      hours[hour]!.waiting++;
  }
  return hours;
}

if (import.meta.main) {
  const perHour = Number(process.argv[2] ?? 1000);
  console.log(`${perHour} events an hour, and no acknowledgement for ${OUTAGE_HOURS} hours`);
  console.log('hour  attempts         per event  waiting');
  for (const [index, { attempts, waiting }] of simulate(perHour, () => 0.5).entries()) {
    if (![0, 1, 2, 5, 11, 23, 24, 25, 29, 34, 47].includes(index)) continue;
    const columns = [index + 1, attempts, (attempts / perHour).toFixed(1), waiting];
    console.log(columns.map((value, column) => String(value).padStart([4, 8, 16, 7][column]!)).join('  '));
  }
}
