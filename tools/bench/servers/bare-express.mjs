// A minimal Express server, with which the kit is compared. It is JavaScript, because stripping types would slow down its start.
import { randomUUID } from 'node:crypto';
import express from 'express';

const [, , port, body = '{}'] = process.argv;
const answer = JSON.parse(body);

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/health', (_req, res) => {
  res.json({ status: 'up' });
});
app.get('/experience/assignments/:assignmentId', (_req, res) => {
  res.status(404).json({ title: 'Not Found', status: 404, traceId: randomUUID() });
});
app.get(['/experience/experiences/:experienceId/assignability', '/experience/assignments', '/users'], (_req, res) => {
  res.json(answer);
});
app.post('/experience/assignments', express.json(), (req, res) => {
  const { experienceId, targetType, targetValue } = req.body;
  const accountId = '0190f000-0000-7000-8000-000000000002';
  res.status(201).json({ id: randomUUID(), experienceId, accountId, targetType, targetValue, updatedAt: new Date().toISOString() });
});
app.listen(Number(port), '127.0.0.1');
