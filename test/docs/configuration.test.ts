import { expect, test } from 'vitest'
import { settings } from '../../src/config/settings.ts'

function configurationPage(): string {
  const rows = Object.entries(settings).map(
    ([name, { fallback, about }]) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${about} |`,
  )
  return `# Settings

Environment variables, read once at start. A value that cannot be used, or two that contradict each other, are refused
with one sentence. Secrets have no default: they come from the environment or are made in the data folder.

| Name | Default | What it is for |
|---|---|---|
${rows.join('\n')}

Two services run side by side on one machine if each has its own \`PORT\`, \`DATA_DIR\`, \`SIP_PORT\`, \`SIP_WS_PORT\` and \`RTP_PORTS\`, and with TLS its own
\`SIP_TLS_PORT\`.
`
}

test('docs/configuration.md shows every setting as config/settings.ts has it', async () => {
  await expect(configurationPage()).toMatchFileSnapshot('../../docs/configuration.md')
})
