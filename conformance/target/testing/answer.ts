import type { Answer } from '../../../src/expect/answer.ts';

/** @param members `text` is by default `json` as text */
export const createAnswer = (members: Partial<Answer> = {}): Answer => ({
  method: 'GET',
  url: 'http://target.test/',
  requestHeaders: {},
  requestBody: undefined,
  status: 200,
  headers: {},
  text: members.json === undefined ? '' : JSON.stringify(members.json),
  json: undefined,
  ...members,
});
