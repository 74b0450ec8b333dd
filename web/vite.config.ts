import { globSync } from 'node:fs'
import { join } from 'node:path'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Modules of `web/parts`, and others by the end of their path, with what they import. */
const partsOf = (names: string[], others: string[] = []) =>
  new RegExp(`(?:/web/parts/(?:${names.join('|')})\\.tsx?${others.map(other => `|${other}`).join('')})$`)

/** Fills `further` of `words.ts` with the texts of languages in the folder of the setting LOCALES_FOLDER. */
const furtherLanguages = (folder: string | undefined) => ({
  name: 'further-languages',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!folder || !id.endsWith('/web/words.ts')) return null
    const files = globSync('*/app/*.json', { cwd: folder }).map(file => JSON.stringify(join(folder, file)))
    return code.replace(/(const further[^=]*= )\{\}/, `$1{${files.map(file => `${file}: () => import(${file})`)}}`)
  },
})

/** The build of the app: names that hold a hash of their content, below a path that nothing else uses. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/web/',
  // texts of React Aria in the languages of the app alone
  plugins: [
    furtherLanguages(process.env.LOCALES_FOLDER),
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' },
  ],
  build: {
    // what each file loads, for the tests of weights
    manifest: true,
    target: 'es2023',
    assetsDir: 'files',
    // a picture inside a style sheet or script could not be cached apart
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // few files: a browser asks a server without HTTP/2 for six at a time
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 2 },
            {
              name: 'page',
              test: partsOf(
                ['page-head', 'table', 'empty-state', 'pager', 'status-pill', 'failure'],
                ['/react-query/build/modern/useMutation\\.js'],
              ),
              priority: 1,
            },
            { name: 'form', test: partsOf(['field', 'form', 'form-dialog', 'dialog', 'copy-button']) },
            { name: 'monitors', test: /\/web\/monitors\/(?:kinds|actions|series|monitor-days)\.tsx?$/ },
          ],
        },
      },
      // React Aria marks each of its modules for servers
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
})
