import { z } from 'zod'
import { line } from '#contract/line.ts'

export const smtpPorts = [25, 465, 587, 2525] as const
export const encryptions = ['tls', 'ssl'] as const

/** What is sent: a field not named stays, `null` clears it. */
export const SmtpChanges = z
  .object({
    host: line(255).toLowerCase(),
    port: z.literal(smtpPorts, 'Must be 25, 465, 587 or 2525.'),
    encryption: z.enum(encryptions, 'Must be tls or ssl.').meta({
      description:
        'tls: begins in the clear and must change to TLS before anything is said (STARTTLS); ssl: ' +
        'TLS from the first byte.',
    }),
    username: line(255).nullable(),
    password: z
      .string()
      .min(1)
      .max(255)
      .refine(text => !/\p{Cc}/u.test(text), 'Must not contain control characters.')
      .nullable()
      .meta({ description: 'Eight asterisks keep the stored one. With another `host` it must be sent again.' }),
    from_address: z.email('Must be one plain address.').max(254).nullable().meta({
      description:
        'Without it the user name is the sender; where that is no address either, nothing is sent by this server.',
    }),
    from_name: line(100).nullable(),
  })
  .partial()
  .meta({ id: 'SmtpConfigChanges' })
export type SmtpChanges = z.output<typeof SmtpChanges>
