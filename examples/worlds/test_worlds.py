import json, os, unittest, urllib.error, urllib.request

# XPK_URL may be a world's URL, as in `xpk exec --world`. Only the kit has worlds.
KIT = os.environ.get("XPK_URL", "http://127.0.0.1:4010").split("/w/")[0]


def send(method, url, body=None, token=None):
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as response:
            return response.status, json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or "null")


class WorldTest(unittest.TestCase):
    def setUp(self):
        status, world = send("POST", f"{KIT}/_control/worlds", {"label": self.id()})
        self.assertEqual(status, 201, world)
        self.url = KIT + world["path"]
        self.token, self.ids = world["tokens"]["full"], world["ids"]
        self.addCleanup(send, "DELETE", f"{KIT}/_control/worlds/{world['name']}")

    def read_ada(self):
        return send("GET", f"{self.url}/users/{self.ids['users']['ada']}", token=self.token)[0]

    def test_user_is_deleted(self):
        self.assertEqual(self.read_ada(), 200)
        send("DELETE", f"{self.url}/_control/state/users/ada")
        self.assertEqual(self.read_ada(), 404)

    def test_service_is_down(self):
        send("POST", f"{self.url}/_control/faults", {"fault": "problem", "operation": "getUser", "status": 503})
        self.assertEqual(self.read_ada(), 503)


if __name__ == "__main__":
    unittest.main()
