import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { RenderableDocument } from './document.ts'
import { layoutOf } from './layout.ts'

/** What is used of pdfmake, which has no types. */
interface PdfMake {
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
pdfmake.setFonts({ Roboto: roboto })
// a document names no address and no file: logos come as data
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(path => Object.values(roboto).includes(path))

/** Renders a report as a PDF. A logo that cannot be read is left out. */
export async function makePdf(document: RenderableDocument): Promise<Buffer> {
  const make = (drawn: RenderableDocument) => pdfmake.createPdf(layoutOf(drawn)).getBuffer()
  if (document.logo === null) return make(document)
  try {
    return await make(document)
  } catch {
    return make({ ...document, logo: null })
  }
}
