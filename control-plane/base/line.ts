import { z } from 'zod'

/** Control characters, line ends, and characters that change the direction of the following text. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** A name or other text of one line, trimmed: it is shown in lists, in mails and in their headers. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .refine(text => !misleading.test(text), 'Must be one line of text, without control characters.')
    .trim()
    .min(min)
    .max(max)
