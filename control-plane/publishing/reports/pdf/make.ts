import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { RenderableDocument } from './document.ts'
import { layoutOf } from './layout.ts'
import type { Node } from './parts.ts'
import { scriptsOf } from './scripts.ts'
import { unpackWoff } from './woff.ts'

/** What is used of pdfmake, which has no types. */
interface PdfMake {
  virtualfs: { writeFileSync(path: string, content: Buffer): void }
  setFonts(fonts: Record<string, Record<string, string>>): void
  setUrlAccessPolicy(mayFetch: (url: string) => boolean): void
  setLocalAccessPolicy(mayRead: (path: string) => boolean): void
  createPdf(definition: object): { getBuffer(): Promise<Buffer> }
}

const require = createRequire(import.meta.url)
const pdfmake = require('pdfmake') as PdfMake
const fonts = join(dirname(require.resolve('pdfmake/package.json')), 'fonts', 'Roboto')
const roboto = {
  normal: join(fonts, 'Roboto-Regular.ttf'),
  bold: join(fonts, 'Roboto-Medium.ttf'),
  italics: join(fonts, 'Roboto-Italic.ttf'),
  bolditalics: join(fonts, 'Roboto-MediumItalic.ttf'),
}
// a name among the files that pdfmake is given, not of a file on disk
const unifont = 'unifont.ttf'
pdfmake.setFonts({
  Roboto: roboto,
  Unifont: { normal: unifont, bold: unifont, italics: unifont, bolditalics: unifont },
})
// a document names no address and no file: logos come as data
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(path => Object.values(roboto).includes(path))

/** Nearly all characters of the world in one weight. It is coarse, but small, and nothing has to be fetched. */
function loadUnifont(): Buffer {
  const folder = dirname(require.resolve('@fontsource/unifontex/package.json'))
  const font = unpackWoff(readFileSync(join(folder, 'files', 'unifontex-latin-400-normal.woff')))
  pdfmake.virtualfs.writeFileSync(unifont, font)
  return font
}

const withScripts = scriptsOf({ first: readFileSync(roboto.normal), other: { name: 'Unifont', load: loadUnifont } })

function definitionOf(document: RenderableDocument): Node {
  const { footer, ...definition } = layoutOf(document)
  return { ...withScripts(definition), footer: (page: number, pages: number) => withScripts(footer(page, pages)) }
}

/** Renders a report as a PDF. A logo that cannot be read is left out. */
export async function makePdf(document: RenderableDocument): Promise<Buffer> {
  const make = (drawn: RenderableDocument) => pdfmake.createPdf(definitionOf(drawn)).getBuffer()
  if (document.logo === null) return make(document)
  try {
    return await make(document)
  } catch {
    return make({ ...document, logo: null })
  }
}
