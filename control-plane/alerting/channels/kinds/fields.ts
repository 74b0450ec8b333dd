import { z } from 'zod'

/** White space, control characters and backslashes are read differently by different parsers. */
const ambiguous = /[\s\\\p{Cc}]/u

export const Address = z
  .string()
  .min(1)
  .max(2_000)
  .refine(text => !ambiguous.test(text), 'Must not hold spaces, backslashes or control characters.')

export const KeptSecret = z.string().max(255)

export const Recipient = z
  .email()
  .max(254)
  .refine(text => !/[\s,;<>"]/.test(text), 'Must be one plain address.')
