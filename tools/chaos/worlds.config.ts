import { defineConfig } from '@playwright/test';

export default defineConfig({ testMatch: 'worlds.spec.ts', fullyParallel: true, workers: 10, forbidOnly: true });
