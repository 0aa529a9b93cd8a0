<?php // A test with the kit at XPK_URL: npx xpk exec -- php kit_test.php
if (PHP_SAPI === 'cli-server') { // The endpoint, which the test starts below. Test your own endpoint in its place.
    $headers = [$_SERVER['HTTP_WEBHOOK_ID'], $_SERVER['HTTP_WEBHOOK_TIMESTAMP'], $_SERVER['HTTP_WEBHOOK_SIGNATURE']];
    file_put_contents(getenv('RECEIVED'), json_encode([...$headers, file_get_contents('php://input')]) . "\n", FILE_APPEND | LOCK_EX);
    http_response_code(204);
    return;
}
/** @return array{int, ?array, string} the status, the body and the Location header */
function call(string $method, string $path, ?array $body = null, ?string $token = null, bool $form = false): array {
    $type = $form ? 'application/x-www-form-urlencoded' : 'application/json';
    $content = $form ? http_build_query($body) : ($body === null ? '' : json_encode($body));
    $authorization = $form ? '' : "Authorization: Bearer " . ($token ?? getenv('XPK_CONTROL_TOKEN')) . "\r\n";
    $options = ['method' => $method, 'header' => "Content-Type: $type\r\n$authorization", 'content' => $content,
        'ignore_errors' => true, 'follow_location' => 0, 'timeout' => 130];
    $text = file_get_contents((getenv('XPK_URL') ?: 'http://127.0.0.1:4010') . $path, false, stream_context_create(['http' => $options]));
    $location = preg_filter('/^location: /i', '', $http_response_header);
    return [(int) explode(' ', $http_response_header[0])[1], json_decode($text, true), end($location) ?: ''];
}

function same(mixed $expected, mixed $actual): void {
    if ($expected !== $actual) throw new Exception('expected ' . json_encode($expected) . ', got ' . json_encode($actual));
}
/** Logs in with the code flow and PKCE. With --login auto, as in xpk exec, the kit shows no page. */
function login(string $world, array $client): string {
    [$verifier, $state] = [bin2hex(random_bytes(32)), bin2hex(random_bytes(8))];
    $own = ['client_id' => $client['id'], 'redirect_uri' => $client['redirectUris'][0]];
    $challenge = rtrim(strtr(base64_encode(hash('sha256', $verifier, true)), '+/', '-_'), '=');
    $query = $own + ['response_type' => 'code', 'state' => $state, 'scope' => 'experience-assignments:manage users:manage',
        'login_hint' => '+12065550100', 'code_challenge' => $challenge, 'code_challenge_method' => 'S256'];
    parse_str(parse_url(call('GET', "$world/auth/authorize?" . http_build_query($query))[2], PHP_URL_QUERY), $answer);
    same($state, $answer['state']);
    $form = $own + ['grant_type' => 'authorization_code', 'code' => $answer['code'], 'code_verifier' => $verifier];
    return call('POST', "$world/auth/oauth/token", $form + ['client_secret' => $client['secret']], form: true)[1]['access_token'];
}

$socket = stream_socket_server('tcp://127.0.0.1:0'); // finds a free port
$port = explode(':', stream_socket_get_name($socket, false))[1];
fclose($socket);
putenv('RECEIVED=' . ($file = tempnam(sys_get_temp_dir(), 'xpk')));
$server = proc_open([PHP_BINARY, '-S', "127.0.0.1:$port", __FILE__], [2 => ['file', '/dev/null', 'w']], $pipes);
register_shutdown_function(fn() => proc_terminate($server) && unlink($file));
while (!@fsockopen('127.0.0.1', $port)) usleep(10_000);
$url = 'http://' . (getenv('EVENTS_HOST') ?: '127.0.0.1') . ":$port/events"; // EVENTS_HOST: this machine's name in the kit's container
$created = call('POST', '/_control/worlds', ['decisions' => ['events.delivery.signature' => 'standard-webhooks']])[1];
$token = login($world = $created['path'], $created['clients']['acme-web']);
$subscription = call('POST', "$world/_control/subscriptions", ['destinationUrl' => $url])[1];
$body = ['experienceId' => $created['ids']['experiences']['concierge'], 'targetType' => 'PHONE_NUMBER', 'targetValue' => '+12065550103'];
[$status, $assignment] = call('POST', "$world/experience/assignments", $body, $token);
same(201, $status);
call('POST', "$world/_control/deliveries/wait", ['subscription' => $subscription['id'], 'type' => 'experience.assignment.created']);
[$id, $timestamp, $signature, $event] = json_decode(file($file)[0]);
same($assignment['id'], json_decode($event)->data->assignmentId);
$key = base64_decode(substr($subscription['secret'], strlen('whsec_')));
same('v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$event", $key, true)), $signature);
call('POST', "$world/_control/faults", ['fault' => 'problem', 'operation' => 'getUser', 'status' => 429, 'times' => 1]);
foreach ([429, 200] as $expected) same($expected, call('GET', "$world/users/2065550001", null, $token)[0]);
call('POST', "$world/_control/reset", ['to' => 'seed']);
same(404, call('GET', "$world/experience/assignments/{$assignment['id']}", null, $token)[0]);
$check = call('POST', "$world/_control/checks", ['check' => 'webhook', 'url' => $url])[1]['id'];
same('passed', call('GET', "$world/_control/checks/$check?waitMs=120000")[1]['state']);
