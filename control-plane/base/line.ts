import { z } from 'zod'

/** Control characters, line ends, and characters that turn the direction in which what follows is read. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** A name, or other words that are shown in one line: in lists, in mails and in their heads. Trimmed. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .refine(text => !misleading.test(text), 'Must be one line of text, without control characters.')
    .trim()
    .min(min)
    .max(max)
