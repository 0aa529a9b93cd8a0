"""A test with the kit at XPK_URL: npx xpk exec -- python3 -m unittest test_kit.py, or with pytest."""
import base64, hashlib, hmac, json, os, queue, secrets, threading, unittest
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

KIT = urlsplit(os.environ.get('XPK_URL', 'http://127.0.0.1:4010')).netloc
HOST = os.environ.get('EVENTS_HOST', '127.0.0.1')  # this machine's name in the kit's container

def call(method, path, body=None, token=os.environ.get('XPK_CONTROL_TOKEN', ''), form=None):
    headers = {'content-type': 'application/json', 'authorization': f'Bearer {token}'}
    if form: headers = {'content-type': 'application/x-www-form-urlencoded'}
    connection = HTTPConnection(KIT)
    connection.request(method, path, urlencode(form) if form else body and json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text) if text[:1] in (b'{', b'[') else None, answer.headers

def login(world, client):
    """Logs in with the code flow and PKCE. A kit with --login auto, as xpk exec starts it, shows no page."""
    verifier, own = secrets.token_urlsafe(48), {'client_id': client['id'], 'redirect_uri': client['redirectUris'][0]}
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip('=')
    query = {'response_type': 'code', **own, 'state': secrets.token_urlsafe(9), 'login_hint': '+12065550100',
             'scope': 'experience-assignments:manage users:manage', 'code_challenge': challenge, 'code_challenge_method': 'S256'}
    answer = parse_qs(urlsplit(call('GET', f'{world}/auth/authorize?{urlencode(query)}')[2]['location']).query)
    assert answer['state'] == [query['state']]
    form = {'grant_type': 'authorization_code', 'code': answer['code'][0], 'code_verifier': verifier, **own}
    return call('POST', f'{world}/auth/oauth/token', form={**form, 'client_secret': client['secret']})[1]['access_token']

class Endpoint(BaseHTTPRequestHandler):  # Test your own endpoint in its place.
    received = queue.Queue()
    def do_POST(self):
        self.received.put((self.headers, self.rfile.read(int(self.headers['content-length'])).decode()))
        self.send_response(204)
        self.end_headers()
    def log_message(self, *_): pass

class KitTest(unittest.TestCase):
    def test_an_assignment_reaches_the_endpoint(self):
        server = ThreadingHTTPServer(('127.0.0.1', 0), Endpoint)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f'http://{HOST}:{server.server_port}/events'
        created = call('POST', '/_control/worlds', {'decisions': {'events.delivery.signature': 'standard-webhooks'}})[1]
        world, ids, token = created['path'], created['ids'], login(created['path'], created['clients']['acme-web'])
        secret = call('POST', f'{world}/_control/subscriptions', {'provider': 'acme', 'destinationUrl': url})[1]['secret']
        body = {'experienceId': ids['experiences']['concierge'], 'targetType': 'PHONE_NUMBER', 'targetValue': '+12065550103'}
        status, assignment, _ = call('POST', f'{world}/experience/assignments', body, token)
        self.assertEqual(status, 201, assignment)
        headers, event = Endpoint.received.get(timeout=10)
        self.assertEqual(json.loads(event)['data']['assignmentId'], assignment['id'])
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{event}".encode()
        digest = hmac.digest(base64.b64decode(secret.removeprefix('whsec_')), signed, 'sha256')
        self.assertEqual(headers['webhook-signature'], 'v1,' + base64.b64encode(digest).decode())
        call('POST', f'{world}/_control/faults', {'fault': 'problem', 'operation': 'getUser', 'status': 429, 'times': 1})
        self.assertEqual([call('GET', f"{world}/users/{ids['users']['ada']}", token=token)[0] for _ in range(2)], [429, 200])
        call('POST', f'{world}/_control/reset', {'to': 'seed'})
        self.assertEqual(call('GET', f"{world}/experience/assignments/{assignment['id']}", token=token)[0], 404)
        check = call('POST', f'{world}/_control/checks', {'check': 'webhook', 'url': url})[1]['id']
        self.assertEqual(call('GET', f'{world}/_control/checks/{check}?waitMs=120000')[1]['state'], 'passed')
