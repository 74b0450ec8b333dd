import { z } from 'zod'
import { timezone } from '#control-plane/identity/users/input.ts'
import { languages } from '#locales/languages.ts'

/** White space, control characters and backslashes are read differently by different parsers. */
const ambiguous = /[\s\\\p{Cc}]/u

export const Address = z
  .string()
  .min(1)
  .max(2_000)
  .refine(text => !ambiguous.test(text), 'Must not contain spaces, backslashes or control characters.')

export const KeptSecret = z.string().max(255)

export const Recipient = z
  .email()
  .max(254)
  .refine(text => !/[\s,;<>"]/.test(text), 'Must be one plain address.')

/** How people read a channel. */
export const reading = {
  language: z
    .enum(languages)
    .nullish()
    .meta({ description: 'English unless set; a mail to a member of the team is in the member’s own language.' }),
  timezone: timezone
    .nullish()
    .meta({ description: 'UTC unless set; a mail to a member of the team has the member’s own time zone.' }),
}
export type Reading = z.output<z.ZodObject<typeof reading>>
