// A test with the kit at XPK_URL: npx xpk exec -- java KitTest.java. For JUnit 5, add @Test before anAssignmentReachesTheEndpoint.
import com.sun.net.httpserver.*;
import java.net.*;
import java.net.http.*;
import java.util.*;
import java.util.concurrent.*;
class KitTest {
  static final URI KIT = URI.create(System.getenv().getOrDefault("XPK_URL", "http://127.0.0.1:4010"));
  static final String HOST = System.getenv().getOrDefault("EVENTS_HOST", "127.0.0.1"); // this machine's name in the kit's container
  static final String CONTROL = System.getenv().getOrDefault("XPK_CONTROL_TOKEN", "none");
  static HttpResponse<String> call(String method, String path, String token, String body) throws Exception {
    var request = HttpRequest.newBuilder(KIT.resolve(path)).method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')));
    if (body.startsWith("grant_type=")) request.header("content-type", "application/x-www-form-urlencoded");
    else request.headers("content-type", "application/json", "authorization", "Bearer " + token);
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
  static String find(String json, String... names) { // The first string after these names. In your project, use a JSON library.
    return json.replaceFirst("(?s).*?\"" + String.join("\":.*?\"", names) + "\":\\[?\"([^\"]*)\".*", "$1");
  }
  static void check(Object expected, Object actual) { if (!expected.equals(actual)) throw new AssertionError(expected + " != " + actual); }
  static String login(String path, String world) throws Exception { // With --login auto, as in xpk exec, the kit shows no page.
    String state = UUID.randomUUID().toString(), verifier = UUID.randomUUID() + "-" + UUID.randomUUID();
    byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(verifier.getBytes());
    String own = "&client_id=" + find(world, "acme-web", "id") + "&redirect_uri=" + find(world, "acme-web", "redirectUris");
    String query = "response_type=code&scope=experience-assignments:manage+users:manage&login_hint=%2B12065550100&state=" + state + own
        + "&code_challenge_method=S256&code_challenge=" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    String answer = call("GET", path + "/auth/authorize?" + query, "none", "").headers().firstValue("location").orElseThrow();
    check(state, answer.split("[?&]state=")[1].split("&")[0]);
    String form = "grant_type=authorization_code&code=" + answer.split("[?&]code=")[1].split("&")[0] + own + "&code_verifier=" + verifier;
    return find(call("POST", path + "/auth/oauth/token", "none", form + "&client_secret=demo-secret-acme-web").body(), "access_token");
  }
  void anAssignmentReachesTheEndpoint() throws Exception {
    var received = new LinkedBlockingQueue<Map.Entry<Headers, String>>();
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/events", exchange -> { // Test your own endpoint in its place.
      received.add(Map.entry(exchange.getRequestHeaders(), new String(exchange.getRequestBody().readAllBytes())));
      exchange.sendResponseHeaders(204, -1);
    });
    var thread = new Thread(server::start);
    thread.setDaemon(true); thread.start(); // A server that a daemon thread has started does not keep the program running.
    String world = call("POST", "/_control/worlds", CONTROL, "{'decisions':{'events.delivery.signature':'standard-webhooks'}}").body();
    String path = find(world, "path"), token = login(path, world), url = "http://" + HOST + ":" + server.getAddress().getPort() + "/events";
    String secret = find(call("POST", path + "/_control/subscriptions", CONTROL, "{'destinationUrl':'" + url + "'}").body(), "secret");
    String body = "{'experienceId':'" + find(world, "ids", "experiences", "concierge") + "','targetType':'PHONE_NUMBER',";
    String id = find(call("POST", path + "/experience/assignments", token, body + "'targetValue':'+12065550103'}").body(), "id");
    var event = received.poll(10, TimeUnit.SECONDS);
    check(id, find(event.getValue(), "assignmentId"));
    String signed = event.getKey().getFirst("webhook-id") + "." + event.getKey().getFirst("webhook-timestamp") + "." + event.getValue();
    var mac = javax.crypto.Mac.getInstance("HmacSHA256");
    mac.init(new javax.crypto.spec.SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
    check("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes())), event.getKey().getFirst("webhook-signature"));
    call("POST", path + "/_control/faults", CONTROL, "{'fault':'problem','operation':'getUser','status':429,'times':1}");
    for (int status : new int[] {429, 200}) check(status, call("GET", path + "/users/2065550001", token, "").statusCode());
    call("POST", path + "/_control/reset", CONTROL, "{'to':'seed'}");
    check(404, call("GET", path + "/experience/assignments/" + id, token, "").statusCode());
    String run = find(call("POST", path + "/_control/checks", CONTROL, "{'check':'webhook','url':'" + url + "'}").body(), "id");
    check("passed", find(call("GET", path + "/_control/checks/" + run + "?waitMs=120000", CONTROL, "").body(), "state"));
  }
  public static void main(String[] args) throws Exception { new KitTest().anAssignmentReachesTheEndpoint(); }
}
