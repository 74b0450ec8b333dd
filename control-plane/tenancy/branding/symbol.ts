import { imageSize } from 'image-size'
import { fetchStart } from '#egress/fetch-start.ts'
import type { Guard } from '#egress/guard.ts'

const maxBytes = 65_536
const timeoutMs = 5_000
const leastPixels = 64
/** The first bytes of a drawing are enough: its size is in its first element. */
const drawingBytes = 4_096

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, index) => bytes[index] === byte)
const textAt = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')

const isRaster = (bytes: Uint8Array) =>
  startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) || // PNG
  startsWith(bytes, 0xff, 0xd8, 0xff) || // JPEG
  startsWith(bytes, 0x00, 0x00, 0x01, 0x00) || // ICO
  startsWith(bytes, 0x47, 0x49, 0x46, 0x38) || // GIF
  (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP')
const isDrawing = (bytes: Uint8Array) =>
  /^\s*<(\?xml|!--|!DOCTYPE svg|svg)/i.test(textAt(bytes, 0, 256).replace(/^ï»¿/, ''))

/** Why the image behind this address cannot be a symbol, or null. */
export async function refuseSymbol(guard: Guard, url: string): Promise<string | null> {
  const bytes = await fetchStart(guard, url, { maxBytes, timeoutMs })
  return bytes === null ? 'The image could not be fetched.' : refuseImage(bytes)
}

/** As `refuseSymbol`, for the first bytes of an image. */
export function refuseImage(bytes: Uint8Array): string | null {
  const isVector = isDrawing(bytes)
  if (!isVector && !isRaster(bytes)) return 'This is no PNG, JPEG, GIF, WebP, ICO or SVG image.'
  try {
    const { width, height } = imageSize(isVector ? bytes.subarray(0, drawingBytes) : bytes)
    if (!width || width !== height) return `The image must be square; it is ${width} by ${height} pixels.`
    // a drawing has no pixels of its own
    return isVector || width >= leastPixels
      ? null
      : `The image must be at least ${leastPixels} pixels wide; it is ${width}.`
  } catch {
    return 'The size of the image cannot be read.'
  }
}
