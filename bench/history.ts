/**
 * Maps a row's name to its figures in two earlier versions: the first release, and the last version before the hot paths were optimized.
 * Most figures compare requests/s.
 */
export const EARLIER_RESULTS: Readonly<Record<string, readonly [first: string, later: string]>> = {
  'assignability check, against bare Express': ['0.42', '0.31–0.33'],
  'page of 100 out of 100,000 assignments, against bare Express': ['0.39', '0.26–0.27'],
  'create in memory, against bare Express': ['0.32', '0.23'],
  'create durably, against bare Express': ['0.17', '0.16'],
  'deliveries (in memory), from outbox to acknowledgement, against plain undici loop': ['0.50', '0.54'],
  'deliveries (durable), from outbox to acknowledgement, against plain undici loop': ['0.46', '0.48'],
  'cold start, against bare Express': ['3.45', '4.0–5.0'],
  'CPU of xpk --version': ['', '400 ms'],
  'CPU of xpk inbox': ['', '370 ms'],
  'second createKit in the same process': ['', '144 ms (busy machine)'],
  'reset of the demo world': ['', '6 ms'],
  'SQL statements of an idle kit on SQLite': ['', '5640 a minute'],
  'whole suite in both path forms, including start': ['21 s', '31 s'],
  'one more subscription, with 10,000 existing ones': ['', '452 ms'],
  'dump of 1,000,000 users': ['', '27.7 s'],
  'memory added by the dump': ['', '2 GB'],
  '20 requests in a row, with 1,000 open streams': ['', '28.9 s'],
};
