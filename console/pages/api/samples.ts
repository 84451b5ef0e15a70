/** The first call over the API, in four languages. */
export const samples = (base: string, extension: string) => ({
  curl: `curl ${base}/calls \\
  -H "Authorization: $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"extension": "${extension}", "called": "+55 48 99999-0009",
       "metadata": {"lead": 7}}'`,
  JavaScript: `const answer = await fetch('${base}/calls', {
  method: 'POST',
  headers: { Authorization: process.env.TOKEN, 'Content-Type': 'application/json' },
  body: JSON.stringify({ extension: '${extension}', called: '+55 48 99999-0009', metadata: { lead: 7 } }),
})
console.log(await answer.json())`,
  PHP: `$request = curl_init('${base}/calls');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Authorization: ' . getenv('TOKEN'), 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode(['extension' => '${extension}', 'called' => '+55 48 99999-0009']),
]);
echo curl_exec($request);`,
  Python: `import json, os, urllib.request

body = json.dumps({"extension": "${extension}", "called": "+55 48 99999-0009"}).encode()
headers = {"Authorization": os.environ["TOKEN"], "Content-Type": "application/json"}
print(urllib.request.urlopen(urllib.request.Request("${base}/calls", body, headers)).read())`,
})
