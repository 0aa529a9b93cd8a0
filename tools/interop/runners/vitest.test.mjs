import { test } from 'vitest';
import { startKit } from './start-kit.mjs';

test('a kit starts', startKit);
