const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes, one character a byte, as people read them: UTF-8, else Latin-1. Any other text as it is. */
export function readable(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes) || /[^\0-\xff]/.test(bytes)) return bytes
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return bytes
  }
}
