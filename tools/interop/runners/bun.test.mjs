import { test } from 'bun:test';
import { startKit } from './start-kit.mjs';

test('a kit starts', startKit);
