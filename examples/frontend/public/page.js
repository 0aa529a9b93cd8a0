import { currentSession, LoginNeededError, logout, RefusedError, service } from './service.js';

/** The ids and names of the provider's Experiences in the demo world. The service does not return names. */
const EXPERIENCES = {
  '019b76da-a800-7546-93d1-a837bd3bb86c': 'Acme Concierge',
  '019b76da-a800-7b01-8cac-0bc9b7c543a4': 'Acme Scheduler',
  '019b76da-a800-732d-b751-870086da46de': 'Acme Reception',
};
const PAGE_SIZE = 5;

const $ = (id) => document.getElementById(id);
let accountId;
let cursor;
let isFormPaused = false;

/** Runs an action that calls the service. Disables the buttons, so that nothing is sent twice. */
async function runAction(action) {
  setBusy(true);
  $('message').hidden = true;
  let wait;
  try {
    await action();
  } catch (error) {
    if (error instanceof LoginNeededError) askForLogin();
    else showRefusal(error);
    wait = error.retryAfter;
  }
  if (wait > 0) pauseForm(wait);
  setBusy(false);
}

/** Disables all buttons during a request, and the form's buttons for the time in Retry-After. */
function setBusy(busy) {
  $('busy').textContent = busy ? 'Waiting for the service…' : '';
  for (const button of document.querySelectorAll('button')) button.disabled = busy || (isFormPaused && button.form === $('assign'));
}

function pauseForm(seconds) {
  isFormPaused = true;
  setTimeout(() => {
    isFormPaused = false;
    setBusy(false);
    show('note', 'You can try again now.');
  }, seconds * 1000);
}

function show(kind, title, ...details) {
  const heading = Object.assign(document.createElement('strong'), { textContent: title });
  $('message').className = kind;
  $('message').replaceChildren(heading, ...details.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
  $('message').hidden = false;
}

function showRefusal(error) {
  if (!(error instanceof RefusedError)) console.error(error);
  const { title = 'Something went wrong', detail, status, traceId } = error.problem ?? { detail: error.message };
  const when = error.retryAfter >= 0 ? [`Try again in ${error.retryAfter} s.`] : [];
  show('refusal', [status, title].filter(Boolean).join(' '), ...[detail ?? []].flat(), ...when);
  // `xpk explain` and the real service's support team find the request by its trace id.
  if (traceId) $('message').append(Object.assign(document.createElement('code'), { textContent: `trace id ${traceId}` }));
}

function askForLogin() {
  $('account').hidden = $('logout').hidden = true;
  $('login').hidden = false;
  $('who').textContent = '';
}

/** Shows the user's account and the account's first assignments. */
async function openAccount() {
  $('again').hidden = true;
  const { number } = await currentSession();
  $('login').hidden = true;
  $('account').hidden = $('logout').hidden = false;
  $('who').textContent = number;
  try {
    const { entities } = await service.connections({ telephoneNumber: number, pageSize: 1 });
    if (entities.length === 0) return show('note', "No Experience is connected to this number's account.");
    accountId = entities[0].accountId;
    $('who').textContent = `${entities[0].accountName ?? accountId}, ${number}`;
    $('assignments').replaceChildren();
    cursor = undefined;
    await showAssignments();
  } catch (error) {
    $('again').hidden = error instanceof LoginNeededError;
    throw error;
  }
}

async function showAssignments() {
  const page = await service.assignments({ accountId, pageSize: PAGE_SIZE, ...(cursor && { cursor }) });
  $('assignments').append(...page.entities.map(createRow));
  cursor = page.cursor ?? undefined;
  $('more').hidden = cursor === undefined;
  $('empty').hidden = $('assignments').rows.length > 0;
}

function createRow({ id, experienceId, targetType, targetValue, updatedAt }) {
  const row = document.createElement('tr');
  const type = { ACCOUNT: 'the account', USER: 'user', PHONE_NUMBER: '' }[targetType] ?? targetType;
  const since = updatedAt ? new Date(updatedAt).toLocaleDateString() : '';
  for (const text of [EXPERIENCES[experienceId] ?? experienceId, targetType === 'ACCOUNT' ? type : `${type} ${targetValue}`.trim(), since])
    row.insertCell().textContent = text;
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Remove' });
  button.addEventListener('click', () =>
    runAction(async () => {
      await service.remove(id);
      row.remove();
      show('done', 'Removed.');
    }),
  );
  row.insertCell().append(button);
  return row;
}

const target = () => ({ targetType: 'PHONE_NUMBER', targetValue: $('assign').elements.targetValue.value });
const experienceId = () => $('assign').elements.experienceId.value;

$('assign').elements.experienceId.append(...Object.entries(EXPERIENCES).map(([id, name]) => new Option(name, id)));
$('check').addEventListener('click', () =>
  runAction(async () => {
    const { assignable } = await service.check(experienceId(), target());
    show(assignable ? 'done' : 'note', assignable ? 'This number can be assigned.' : 'This number cannot be assigned to this Experience.');
  }),
);
$('assign').addEventListener('submit', (event) => {
  event.preventDefault();
  runAction(async () => {
    const assignment = await service.assign({ experienceId: experienceId(), ...target() });
    $('assignments').prepend(createRow(assignment));
    $('empty').hidden = true;
    show('done', 'Assigned.');
  });
});
$('more').addEventListener('click', () => runAction(showAssignments));
$('again').addEventListener('click', () => runAction(openAccount));
$('logout').addEventListener('click', () => runAction(() => logout().then(askForLogin)));

const refused = new URLSearchParams(location.search).get('refused');
await runAction(openAccount);
if (refused !== null) show('refusal', 'The login was refused', refused);
