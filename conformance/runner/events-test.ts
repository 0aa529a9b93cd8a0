export type { Events } from '../actors/event-subscriptions.ts';
export { test } from './test.ts';
