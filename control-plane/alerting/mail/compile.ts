import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const at = (name: string) => new URL(`./templates/${name}`, import.meta.url)

interface Compiled {
  html: string
  errors: unknown[]
}
// it brings no types of its own
const mjml: (source: string, options: Record<string, unknown>) => Promise<Compiled> = createRequire(import.meta.url)(
  'mjml',
)

/** The layout as mail programs need it. Liquid stands where MJML expects colours and addresses, so it judges softly. */
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

// for those who have changed the layout: `npm run mails`
if (import.meta.filename === process.argv[1]) writeFileSync(at('layout.html'), await compileLayout())
