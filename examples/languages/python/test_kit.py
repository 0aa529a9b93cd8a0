"""Tests with the kit at XPK_URL: npx xpk exec -- python3 -m unittest test_kit.py, or with pytest."""
import base64, hashlib, hmac, http.client, http.server, json, os, queue, secrets, threading, unittest
from urllib.parse import parse_qs, urlencode, urlsplit
KIT = urlsplit(os.environ.get('XPK_URL', 'http://127.0.0.1:4010')).netloc
HOST = os.environ.get('EVENTS_HOST', '127.0.0.1')  # this machine's name in the kit's container

def call(method, path, body=None, token=os.environ.get('XPK_CONTROL_TOKEN', ''), form=None):
    headers = {'content-type': 'application/x-www-form-urlencoded'} if form else {'content-type': 'application/json', 'authorization': f'Bearer {token}'}
    connection = http.client.HTTPConnection(KIT)
    connection.request(method, path, urlencode(form) if form else body and json.dumps(body), {**headers, 'connection': 'close'})
    answer = connection.getresponse()
    text = answer.read()
    return answer.status, json.loads(text) if text[:1] in (b'{', b'[') else None, answer.headers

def login(world, client):  # the code flow with PKCE; a kit with --login auto, as xpk exec starts it, shows no page
    verifier, own = secrets.token_urlsafe(48), {'client_id': client['id'], 'redirect_uri': client['redirectUris'][0]}
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip('=')
    query = {'response_type': 'code', **own, 'state': secrets.token_urlsafe(9), 'login_hint': '+12065550100',
             'scope': 'experience-assignments:manage users:manage', 'code_challenge': challenge, 'code_challenge_method': 'S256'}
    answer = parse_qs(urlsplit(call('GET', f'{world}/auth/authorize?{urlencode(query)}')[2]['location']).query)
    assert answer['state'] == [query['state']]
    form = {'grant_type': 'authorization_code', 'code': answer['code'][0], 'code_verifier': verifier, **own}
    return call('POST', f'{world}/auth/oauth/token', form={**form, 'client_secret': client['secret']})[1]['access_token']

def is_signed(secret, headers, body):
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = b'v1,' + base64.b64encode(hmac.digest(base64.b64decode(secret.removeprefix('whsec_')), content, 'sha256'))
    return any(hmac.compare_digest(expected, each.encode()) for each in headers.get('webhook-signature', '').split())

class Endpoint(http.server.BaseHTTPRequestHandler):  # Test your own endpoint in its place.
    secret, received = 'whsec_' + base64.b64encode(secrets.token_bytes(24)).decode(), queue.Queue()
    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        signed = is_signed(self.secret, self.headers, body)
        if signed: self.received.put(json.loads(body)['data'])
        self.send_response(204 if signed else 401)
        self.end_headers()
    def log_message(self, *_): pass

class KitTest(unittest.TestCase):
    def setUp(self):
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Endpoint)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.world = call('POST', '/_control/worlds', {'decisions': {'events.delivery.signature': 'standard-webhooks'}})[1]
        self.path, self.endpoint = self.world['path'], {'url': f'http://{HOST}:{server.server_port}/events', 'secret': Endpoint.secret}
    def test_an_assignment_reaches_the_endpoint(self):
        ids, token = self.world['ids'], login(self.path, self.world['clients']['acme-web'])
        call('POST', f'{self.path}/_control/subscriptions', {'destinationUrl': self.endpoint['url'], 'secret': Endpoint.secret})
        body = {'experienceId': ids['experiences']['concierge'], 'targetType': 'PHONE_NUMBER', 'targetValue': '+12065550103'}
        status, assignment, _ = call('POST', f'{self.path}/experience/assignments', body, token)
        self.assertEqual(status, 201, assignment)
        self.assertEqual(Endpoint.received.get(timeout=10)['assignmentId'], assignment['id'])
        call('POST', f'{self.path}/_control/faults', {'fault': 'problem', 'operation': 'getUser', 'status': 429, 'times': 1})
        self.assertEqual([call('GET', f"{self.path}/users/{ids['users']['ada']}", token=token)[0] for _ in range(2)], [429, 200])
        call('POST', f'{self.path}/_control/reset', {'to': 'seed'})
        self.assertEqual(call('GET', f"{self.path}/experience/assignments/{assignment['id']}", token=token)[0], 404)
    def test_the_endpoint_follows_the_rules(self):
        started = call('POST', f'{self.path}/_control/checks', {'check': 'webhook', **self.endpoint})[1]
        check = call('GET', f"{self.path}/_control/checks/{started['id']}?waitMs=120000")[1]
        self.assertEqual(check['state'], 'passed', check.get('summary'))
