import { test } from 'node:test';
import { startKit } from './start-kit.mjs';

test('a kit starts', startKit);
