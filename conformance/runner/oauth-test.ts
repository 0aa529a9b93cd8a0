export { keyFlowClient, type OAuth, secretFlowClient } from '../actors/oauth.ts';
export { test } from './test.ts';
