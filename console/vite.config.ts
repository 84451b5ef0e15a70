/** How Vite builds the console; `npm run console` serves it while it is being worked on. */
import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'

/** Modules that the page loads before anything else, in one file that changes seldom: many small ones compress worse. */
const firstLoaded =
  /node_modules\/(?:react|react-dom|scheduler|wouter|regexparam)\/|clients\/typescript\/src\/|console\/parts\/(?:icon|states)\.tsx|console\/(?:api|error-text)\.ts|useQuery\.|useBaseQuery|queryObserver|preload-helper/
/** Files that are there when a part of the console is loaded. */
const isThere = /^assets\/(?:index|base|rolldown-runtime)-/

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
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !isThere.test(file)) : files,
    },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: firstLoaded }] } } },
    reportCompressedSize: false,
    // Data URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    license: { fileName: 'licences.json' },
  },
  server: {
    // The console is built on the TypeScript client.
    fs: { allow: ['..'] },
    proxy: {
      '/api': service,
      '/sip': { target: service, ws: true },
    },
  },
}

export default consoleConfig
