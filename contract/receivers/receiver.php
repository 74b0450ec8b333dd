<?php
/**
 * A receiver of Vedette's webhooks in PHP.
 *
 *   WEBHOOK_SECRET=... [WEBHOOK_SECRET_FORMER=...] php -S 127.0.0.1:8000 receiver.php
 *
 * POST /       verifies webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks) and refuses old requests.
 * POST /plain  verifies X-Webhook-Signature alone.
 * While a secret is being rotated, set both: the new one and the former one.
 */
declare(strict_types=1);

const TOLERANCE_S = 300;

/** A Standard Webhooks secret is text, or base64 after `whsec_`. */
function keyOf(string $secret): string
{
    return str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
}

function isStandard(string $id, string $timestamp, string $signatures, string $body, array $secrets, int $now): bool
{
    if ($id === '' || !ctype_digit($timestamp) || abs($now - (int) $timestamp) > TOLERANCE_S) {
        return false;
    }
    foreach ($secrets as $secret) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", keyOf($secret), true));
        foreach (explode(' ', $signatures) as $given) {
            if (hash_equals($expected, $given)) {
                return true;
            }
        }
    }
    return false;
}

/** Over the bytes as they came: never over an object that was read and written again. */
function isPlain(string $signature, string $body, array $secrets): bool
{
    foreach ($secrets as $secret) {
        if (hash_equals(hash_hmac('sha256', $body, $secret), $signature)) {
            return true;
        }
    }
    return false;
}

$secrets = array_values(array_filter([getenv('WEBHOOK_SECRET'), getenv('WEBHOOK_SECRET_FORMER')]));
$body = file_get_contents('php://input');
$header = fn(string $name): string => $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? '';
$id = $header('webhook-id');

$isVerified = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) === '/plain'
    ? isPlain($header('X-Webhook-Signature'), $body, $secrets)
    : isStandard($id, $header('webhook-timestamp'), $header('webhook-signature'), $body, $secrets, time());
if (!$isVerified) {
    http_response_code(401);
    exit;
}

// A message may arrive more than once: store its id with your own data and ignore known ids.
$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
error_log(json_encode(['id' => $id, 'event' => $event['event']]));
http_response_code(204);
