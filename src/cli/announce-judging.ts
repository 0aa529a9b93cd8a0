/** Fewer requests are judged in a few seconds. */
const MANY_REQUESTS = 10_000;
const REQUESTS_PER_SECOND = 2000;

/** Prints how long it takes to judge many requests, because nothing else is printed meanwhile. */
export function announceJudging({ length }: readonly unknown[]): void {
  if (length >= MANY_REQUESTS)
    console.error(`Judging ${length.toLocaleString('en')} requests takes about ${Math.round(length / REQUESTS_PER_SECOND)} seconds.`);
}
