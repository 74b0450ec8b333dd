import { createHash } from 'node:crypto'

export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A text of at most this many characters; a longer one ends in its digest, so that it still differs from others. */
export const cutWithDigest = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 65)}…${digestOf(text)}`
