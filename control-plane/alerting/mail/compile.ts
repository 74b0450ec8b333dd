import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const at = (name: string) => new URL(`./templates/${name}`, import.meta.url)

interface Compiled {
  html: string
  errors: unknown[]
}
// the package has no types
const mjml: (source: string, options: Record<string, unknown>) => Promise<Compiled> = createRequire(import.meta.url)(
  'mjml',
)

/**
 * Compiles the layout to HTML for mail programs. Validation is soft, as Liquid stands where MJML expects colours and
 * addresses.
 */
export async function compileLayout(): Promise<string> {
  const { html } = await mjml(readFileSync(at('layout.mjml'), 'utf8'), {
    validationLevel: 'soft',
    keepComments: false,
    minify: false,
    fonts: {},
  })
  return `${html
    .replace(/^[ \t]+|[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()}\n`
}

// run by `npm run mails` after a change of the layout
if (import.meta.filename === process.argv[1]) writeFileSync(at('layout.html'), await compileLayout())
