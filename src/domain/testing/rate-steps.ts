import type { Window } from '../rate.ts';

/**
 * At kit time `at`, a client sends `sent` requests, and `passed` of them are accepted. The last one must wait `wait` milliseconds; `wait` is
 * 0 if it is accepted.
 */
export type Step = readonly [at: number, sent: number, passed: number, wait: number];

/** The limit is 100 requests per second, and all requests have the same credential. */
export const RATE_STEPS: Readonly<Record<Window, readonly Step[]>> = {
  sliding: [
    [1600, 60, 60, 0],
    [2200, 41, 40, 400],
    [2599, 1, 0, 1],
    [2600, 61, 60, 600],
    [3200, 120, 40, 400],
  ],
  fixed: [
    [1600, 101, 100, 400],
    [1999, 1, 0, 1],
    [2000, 101, 100, 1000],
    [2999, 1, 0, 1],
  ],
  bucket: [
    [1000, 101, 100, 10],
    [1500, 51, 50, 10],
    [1509, 1, 0, 1],
    [1510, 1, 1, 0],
    [20_000, 101, 100, 10],
  ],
  'small-bucket': [
    [1000, 11, 10, 10],
    [1010, 2, 1, 10],
    [1050, 5, 4, 10],
    [20_000, 11, 10, 10],
  ],
};
