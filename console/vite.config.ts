/** How Vite builds the console; `npm run console` serves it while it is being worked on. */
import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'

const service = process.env.CONSOLE_SERVICE ?? 'http://localhost:3000'

const consoleConfig: InlineConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  configFile: false,
  logLevel: 'error',
  publicDir: 'public',
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Data URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    license: { fileName: 'licences.json' },
  },
  server: {
    proxy: {
      '/api': service,
      '/sip': { target: service, ws: true },
    },
  },
}

export default consoleConfig
