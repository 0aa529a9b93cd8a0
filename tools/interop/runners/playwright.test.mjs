import { test } from '@playwright/test';
import { startKit } from './start-kit.mjs';

test('a kit starts', startKit);
