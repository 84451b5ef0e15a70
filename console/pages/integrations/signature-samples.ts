/** How a receiver checks a signature, in three languages. The key is the base64 after `whsec_`. */
export const signatureSamples = {
  JavaScript: `import { createHmac, timingSafeEqual } from 'node:crypto'

export function isGenuine(headers, body, secret) {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest()
  return headers['webhook-signature'].split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`,
  PHP: `function is_genuine(array $headers, string $body, string $secret): bool {
    $id = $headers['webhook-id'];
    $time = $headers['webhook-timestamp'];
    if (abs(time() - (int) $time) > 300) return false;
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals("v1,$expected", $one)) return true;
    }
    return false;
}`,
  Python: `import base64, hashlib, hmac, time

def is_genuine(headers, body: bytes, secret: str) -> bool:
    id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{sent}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split(" "))`,
}
