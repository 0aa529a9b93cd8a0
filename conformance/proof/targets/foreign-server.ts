import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const mine = '00000000-0000-4000-8000-000000000001';
const users = Array.from({ length: 250 }, () => ({ id: randomUUID(), accountId: mine, createdAt: new Date().toISOString() }));

export const server = createServer(({ method, url = '/', headers }, res) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const { accountId = '', pageSize = '100', cursor = '0' } = Object.fromEntries(searchParams);
  const answer = (status: number, type: string, body: object) => res.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  const refuse = (status: number, title: string) => answer(status, 'application/problem+json', { title, status, traceId: randomUUID() });
  if (headers.authorization !== 'Bearer open-sesame') return refuse(401, 'Nobody comes in without the right token.');
  if (method !== 'GET' || pathname !== '/users') return refuse(404, 'There is nothing here.');
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(accountId)) return refuse(400, 'accountId has to be a UUID.');
  if (!/^\d+$/.test(pageSize) || +pageSize < 1 || +pageSize > 200) return refuse(400, 'pageSize has to be an integer from 1 to 200.');
  const all = users.filter((user) => user.accountId === accountId);
  const [from, to] = [+cursor, +cursor + +pageSize];
  const page = { entities: all.slice(from, to), cursor: to < all.length ? `${to}` : null, pageSize: +pageSize, count: all.length };
  return answer(200, 'application/json', page);
});
