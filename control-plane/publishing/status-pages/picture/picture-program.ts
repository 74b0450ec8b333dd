import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { unpackWoff } from '#control-plane/publishing/reports/pdf/woff.ts'
import { pictureFont } from '#control-plane/publishing/status-pages/render/picture-font.ts'

/** What is used of @resvg/resvg-wasm, whose types are those of a browser. */
interface Resvg {
  initWasm(module: Buffer): Promise<void>
  Resvg: new (
    svg: string,
    options: { font: { fontBuffers: readonly Uint8Array[]; defaultFontFamily: string } },
  ) => { render(): { asPng(): Uint8Array; free(): void }; free(): void }
}

const require = createRequire(import.meta.url)
const { initWasm, Resvg } = require('@resvg/resvg-wasm') as Resvg
const ready = initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))

const folder = join(dirname(require.resolve('pdfmake/package.json')), 'fonts', 'Roboto')
const roboto = ['Roboto-Regular.ttf', 'Roboto-Medium.ttf'].map(name => readFileSync(join(folder, name)))
let other: Buffer | undefined

/** What Roboto does not have: neither Latin, Greek nor Cyrillic letters, nor usual punctuation. */
const rare = /[^\0-\u052f\u1e00-\u1eff\u2000-\u206f\u20a0-\u20cf]/u

/** Nearly all characters of the world in one weight, as in reports. */
function loadUnifont(): Buffer {
  const of = dirname(require.resolve('@fontsource/unifontex/package.json'))
  return unpackWoff(readFileSync(join(of, 'files', 'unifontex-latin-400-normal.woff')))
}

function draw(svg: string): Uint8Array {
  if (rare.test(svg)) other ??= loadUnifont()
  const fontBuffers = other !== undefined && rare.test(svg) ? [...roboto, other] : roboto
  const drawing = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: pictureFont } })
  const image = drawing.render()
  const png = new Uint8Array(image.asPng())
  image.free()
  drawing.free()
  return png
}

/** Draws an SVG as a PNG. A program: names and logos are of customers. */
export async function run(svg: string): Promise<Uint8Array> {
  await ready
  return draw(svg)
}
