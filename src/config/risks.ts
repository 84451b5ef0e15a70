/** D482: settings that fit together and are dangerous all the same, each in a sentence, for `doctor` and the log at the start. */
import type { Config } from '../config.ts'
import { isLoopbackHost } from '../kit/networks.ts'

export function risksOf(config: Config): string[] {
  const { host, publicUrl, httpTls, voice, paymentGateway, trustProxy, operatorPages: isLocal } = config
  const isListening = !isLoopbackHost(host)
  const isPlain = publicUrl === undefined ? isListening && !httpTls : publicUrl.startsWith('http:')
  const risks: [applies: boolean, sentence: string][] = [
    [
      !voice.usesSandbox && paymentGateway === 'sandbox',
      'PAYMENT_GATEWAY is sandbox and TRUNKS is set: anybody gets credit for calls over the carrier without paying',
    ],
    [
      isListening && publicUrl === undefined,
      `HOST is ${host} and PUBLIC_URL is not set: links in mails and recordings lead to this machine only`,
    ],
    [
      !isLocal && isPlain,
      'the service is reached over http: passwords and tokens can be read on the way; set HTTP_TLS_CERT and HTTP_TLS_KEY, or a PUBLIC_URL of https:// with a proxy in front',
    ],
    [
      !isLocal && !isListening && trustProxy.length === 0,
      'HOST is a loopback address, PUBLIC_URL is not and TRUST_PROXY is empty: behind the proxy all clients have one address and share its limits',
    ],
    [!isLocal && !config.rateLimits, 'RATE_LIMITS is off: nothing limits guesses at passwords'],
    [
      !isLocal && config.webhookAllowPrivate,
      'WEBHOOK_ALLOW_PRIVATE is true: users can reach internal addresses by webhooks',
    ],
    ...exampleSecrets(config).map((name): [boolean, string] => [
      true,
      `${name} is that of an example, which everybody knows: set one of your own`,
    ]),
  ]
  return risks.flatMap(([applies, sentence]) => (applies ? [sentence] : []))
}

/** As in the files of `deploy/`. */
function exampleSecrets({
  secretKey,
  databaseUrl,
  metricsToken,
  operatorToken,
  recordings,
  dailyFiles,
}: Config): string[] {
  const places = [recordings, ...(dailyFiles ? [dailyFiles] : [])]
  const bucketSecret = places.flatMap((place) => ('bucket' in place ? [place.bucket.secretAccessKey] : []))[0]
  const given = {
    DATABASE_URL: databaseUrl,
    METRICS_TOKEN: metricsToken,
    OPERATOR_TOKEN: operatorToken,
    AWS_SECRET_ACCESS_KEY: bucketSecret,
  }
  const named = Object.entries(given).flatMap(([name, value]) => (value?.includes('change-me') ? [name] : []))
  const isRepeated = secretKey?.every((byte) => byte === secretKey[0])
  return isRepeated ? ['SECRET_KEY', ...named] : named
}
