export { test } from './test.ts';
