// The baseline for the kit: Express with its defaults. It sends the same bytes, but validates nothing, checks no token and keeps no state.
// Plain JavaScript, so that its start does not include stripping types.
import { randomUUID } from 'node:crypto';
import express from 'express';

let assignability = {};
let page = {};
process.on('message', (texts) => {
  if (texts.assignability) assignability = JSON.parse(texts.assignability);
  if (texts.page) page = JSON.parse(texts.page);
});

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/health', (_req, res) => {
  res.json({ status: 'up' });
});
app.get('/experience/experiences/:experienceId/assignability', (_req, res) => {
  res.json(assignability);
});
app.get('/experience/assignments', (_req, res) => {
  res.json(page);
});
app.post('/experience/assignments', express.json(), (req, res) => {
  const { experienceId, targetType, targetValue } = req.body;
  const accountId = '0190f000-0000-7000-8000-000000000002';
  res.status(201).json({ id: randomUUID(), experienceId, accountId, targetType, targetValue, updatedAt: new Date().toISOString() });
});
app.listen(Number(process.argv[2]), '127.0.0.1');
